package io.slicewise.evidence.facts;

import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A parameter of a domain in which two profiles differ: a possible cause of an effect.
 *
 * @param from its value under the baseline; {@code "–"} if it has no such parameter
 * @param to its value under the other profile
 */
public record Knob(String domain, String parameter, String from, String to) {
  private static final String NONE = "–";

  /**
   * Returns all differences, by domain, then parameter.
   *
   * @param from the settings of every domain under the baseline; unknown for a missing domain
   * @param to likewise under the other profile
   */
  public static List<Knob> between(
      Map<String, SchedulerParameters> from, Map<String, SchedulerParameters> to) {
    Set<String> domains = new TreeSet<>(from.keySet());
    domains.addAll(to.keySet());
    List<Knob> knobs = new ArrayList<>();
    for (String domain : domains) {
      Map<String, String> before = values(from, domain);
      Map<String, String> after = values(to, domain);
      Set<String> parameters = new TreeSet<>(before.keySet());
      parameters.addAll(after.keySet());
      for (String parameter : parameters) {
        String old = before.getOrDefault(parameter, NONE);
        String value = after.getOrDefault(parameter, NONE);
        if (!old.equals(value)) {
          knobs.add(new Knob(domain, parameter, old, value));
        }
      }
    }
    return List.copyOf(knobs);
  }

  private static Map<String, String> values(Map<String, SchedulerParameters> all, String domain) {
    Map<String, String> values = new LinkedHashMap<>();
    SchedulerParameters parameters = all.get(domain);
    if (parameters == null) {
      return values;
    }
    values.put("scheduler", parameters.scheduler().xenName());
    values.putAll(ParametersText.values(parameters));
    return values;
  }
}
