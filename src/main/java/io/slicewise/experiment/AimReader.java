package io.slicewise.experiment;

import io.slicewise.base.units.PercentText;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads {@code goal} and {@code guard} of an experiment file. */
final class AimReader {
  private static final String SHARE = "[0-9]{1,2}(\\.[0-9]+)?%$";

  /** Throughput may fall, response times may rise; the sign is optional. */
  static final String FALL = "^-?" + SHARE;

  static final String RISE = "^\\+?" + SHARE;
  private static final Pattern FALLS = Pattern.compile(FALL);
  private static final Pattern RISES = Pattern.compile(RISE);

  static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              "goal",
              new OptionKind.Shaped(Aim.Goal.PATTERN, Aim.Goal.RULE),
              "the deciding metric, optionally with a limit; the default of report, compare and"
                  + " recommend"),
          Option.optional(
              "guard",
              new GuardKind(false),
              "what the goal may cost: the maximum deterioration of a metric, and the maximum share"
                  + " of failed requests"));

  private AimReader() {}

  static Aim read(YamlMap top, WorkloadSpec workload, Path file) {
    Options options = new Options(Option.readAll(OPTIONS, top, file, true));
    if (!workload.loads()) {
      for (String key : Option.names(OPTIONS)) {
        if (top.has(key)) {
          top.fault(key, key + " has no meaning: nothing is loaded, so no metric can reach it");
        }
      }
    }
    return new Aim(options.text("goal").map(Aim.Goal::parse), guard(options));
  }

  /** Returns the largest allowed changes for the worse, as shares by metric. */
  static Map<String, Double> guard(Options options) {
    Map<String, Double> guard = new TreeMap<>();
    options
        .group("guard")
        .map(Options::values)
        .orElse(Map.of())
        .forEach((metric, text) -> guard.put(metric, share((String) text)));
    return guard;
  }

  private static double share(String change) {
    return PercentText.parse(change.replaceAll("^[-+]", ""));
  }

  static Optional<Double> allowed(String metric, YamlValue value) {
    if (metric.equals(Aim.ERRORS)) {
      return value.parsed(PercentText::parse);
    }
    return value.parsed(
        text ->
            metric.equals(Aim.THROUGHPUT)
                ? change(text, FALLS, "-5%, the maximum decrease")
                : change(text, RISES, "+5%, the maximum increase"));
  }

  private static double change(String text, Pattern rule, String example) {
    if (!rule.matcher(text).matches()) {
      throw new IllegalArgumentException("must be a change below 100 % such as " + example);
    }
    return share(text);
  }

  /** Returns a guard as text that {@link #read} accepts. */
  static String text(String metric, double allowed) {
    String sign = metric.equals(Aim.ERRORS) ? "" : TuneGoal.lowerIsBetter(metric) ? "+" : "-";
    return sign + PercentText.of(allowed);
  }
}
