package io.slicewise.run.validity;

import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks that the scheduler settings read back equal the requested ones, before and after the load.
 */
final class SettingRules {
  private SettingRules() {}

  static List<Finding> judge(TrialFacts facts) {
    List<Finding> findings = new ArrayList<>();
    TrialFacts.Settings settings = facts.settings();
    new TreeMap<>(settings.asked())
        .forEach(
            (domain, asked) -> {
              compare(domain, "asked", asked, settings.before(), "before the load", findings);
              compare(domain, "asked", asked, settings.after(), "after the load", findings);
            });
    gone(settings, findings);
    new TreeMap<>(settings.before())
        .forEach(
            (domain, before) -> {
              if (!settings.asked().containsKey(domain)) {
                compare(domain, "found", before, settings.after(), "after the load", findings);
              }
            });
    return findings;
  }

  /** Reports domains that were set but no longer ran when the others were read again. */
  private static void gone(TrialFacts.Settings settings, List<Finding> findings) {
    if (settings.after().isEmpty()) {
      return;
    }
    for (String domain : new TreeSet<>(settings.asked().keySet())) {
      if (!settings.after().containsKey(domain)) {
        findings.add(
            Finding.excluding(
                Rule.SETTINGS,
                domain + ": not running after the load",
                "the guest crashed, was shut down or was migrated during the trial"));
      }
    }
  }

  private static void compare(
      String domain,
      String verb,
      SchedulerParameters wanted,
      Map<String, SchedulerParameters> read,
      String when,
      List<Finding> findings) {
    SchedulerParameters found = read.get(domain);
    if (found != null && !found.equals(wanted)) {
      findings.add(
          Finding.excluding(
              Rule.SETTINGS,
              "%s: %s %s, read %s %s"
                  .formatted(
                      domain, verb, ParametersText.of(wanted), ParametersText.of(found), when),
              "another tool changed the scheduler meanwhile, the guest restarted, or the toolstack"
                  + " rounds the value"));
    }
  }
}
