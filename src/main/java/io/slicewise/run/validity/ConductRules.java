package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that the trial ran as planned: on the same guests throughout, in a window of the planned
 * length.
 */
final class ConductRules {
  private static final double LONGEST_SLIP_SECONDS = 1;
  private static final double LARGEST_SLIP = 0.02;

  /** Of the pCPUs' time; less changes what the studied guests get by less than the repetitions. */
  private static final double LARGEST_DISTURBANCE = 0.05;

  private ConductRules() {}

  static List<Finding> judge(TrialFacts facts) {
    List<Finding> findings = new ArrayList<>();
    for (String change : facts.conduct().changes()) {
      findings.add(
          Finding.excluding(
              Rule.HOST, change, "somebody else administered the host while the trial ran"));
    }
    for (String disturbance : facts.conduct().disturbances()) {
      findings.add(disturbance(disturbance, facts));
    }
    window(facts, findings);
    return findings;
  }

  /** A guest that came or went disturbs as much as it ran. */
  private static Finding disturbance(String sentence, TrialFacts facts) {
    double used =
        facts.shares().stream()
            .filter(shares -> sentence.startsWith(shares.domain() + ": "))
            .mapToDouble(shares -> shares.run() * shares.vcpus() / facts.pcpus())
            .findFirst()
            .orElse(Double.NaN);
    String cause = "somebody else used the host while the trial ran";
    return used > LARGEST_DISTURBANCE
        ? Finding.excluding(
            Rule.HOST,
            Phrase.of(
                "%s, and used %.1f %% of the host's CPU in the window (limit %.0f %%)",
                sentence, 100 * used, 100 * LARGEST_DISTURBANCE),
            cause)
        : Finding.warning(Rule.HOST, sentence, cause);
  }

  private static void window(TrialFacts facts, List<Finding> findings) {
    double planned = facts.conduct().planned().toNanos() / 1e9;
    double slip = facts.window().seconds() - planned;
    double allowed = Math.max(LONGEST_SLIP_SECONDS, LARGEST_SLIP * planned);
    if (planned > 0 && Math.abs(slip) > allowed) {
      findings.add(
          Finding.excluding(
              Rule.WINDOW,
              Phrase.of(
                  "the window lasted %.1f s instead of %.1f s (%.1f s off > %.1f s)",
                  facts.window().seconds(), planned, Math.abs(slip), allowed),
              "the connection broke, or the host or this machine was paused"));
    }
  }
}
