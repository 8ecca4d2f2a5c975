package io.slicewise.experiment;

import io.slicewise.base.units.PercentText;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What an experiment file says under {@code goal} and {@code guard}. */
final class AimReader {
  private static final String SHARE = "[0-9]{1,2}(\\.[0-9]+)?%$";

  /** Throughput may fall, response times may rise; the sign may be left out. */
  static final String FALL = "^-?" + SHARE;

  static final String RISE = "^\\+?" + SHARE;
  private static final Pattern FALLS = Pattern.compile(FALL);
  private static final Pattern RISES = Pattern.compile(RISE);

  private AimReader() {}

  static Aim read(YamlMap top, WorkloadSpec workload) {
    Optional<Aim.Goal> goal = top.get("goal").flatMap(value -> value.parsed(Aim.Goal::parse));
    Map<String, Double> guard = new TreeMap<>();
    top.get("guard")
        .flatMap(value -> value.map(ExperimentKeys.GUARD, " of guard"))
        .ifPresent(
            map ->
                map.keys()
                    .forEach(
                        metric ->
                            map.get(metric)
                                .flatMap(value -> allowed(metric, value))
                                .ifPresent(share -> guard.put(metric, share))));
    if (!workload.loads()) {
      for (String key : new String[] {"goal", "guard"}) {
        if (top.has(key)) {
          top.fault(key, key + " has no meaning: nothing is loaded, so no metric can reach it");
        }
      }
    }
    return new Aim(goal, guard);
  }

  static Optional<Double> allowed(String metric, YamlValue value) {
    if (metric.equals(Aim.ERRORS)) {
      return value.parsed(PercentText::parse);
    }
    return value.parsed(
        text ->
            metric.equals(Aim.THROUGHPUT)
                ? change(text, FALLS, "-5%, the most it may fall")
                : change(text, RISES, "+5%, the most it may rise"));
  }

  private static double change(String text, Pattern rule, String example) {
    if (!rule.matcher(text).matches()) {
      throw new IllegalArgumentException("must be a change below 100 % such as " + example);
    }
    return PercentText.parse(text.replaceAll("^[-+]", ""));
  }

  /** As {@link #read} takes it. */
  static String text(String metric, double allowed) {
    String sign = metric.equals(Aim.ERRORS) ? "" : metric.equals(Aim.THROUGHPUT) ? "-" : "+";
    return sign + PercentText.of(allowed);
  }
}
