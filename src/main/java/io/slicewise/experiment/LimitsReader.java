package io.slicewise.experiment;

import io.slicewise.units.DurationText;
import io.slicewise.units.PercentText;
import io.slicewise.yaml.YamlMap;

/** What an experiment file says under {@code limits}. */
final class LimitsReader {
  static final int MOST_ATTEMPTS = 100;

  private LimitsReader() {}

  static Limits read(YamlMap top) {
    return top.get("limits")
        .flatMap(value -> value.map(ExperimentKeys.LIMITS, " of limits"))
        .map(LimitsReader::limits)
        .orElse(Limits.DEFAULT);
  }

  private static Limits limits(YamlMap map) {
    return new Limits(
        share(map, "errors", Limits.DEFAULT.errorShare()),
        share(map, "generator-cpu", Limits.DEFAULT.generatorCpuShare()),
        millis(map, "generator-lateness", Limits.DEFAULT.generatorLatenessMillis()),
        share(map, "generator-gc", Limits.DEFAULT.generatorPauseShare()),
        share(map, "littles-law", Limits.DEFAULT.littlesLawError()),
        millis(map, "lab-lateness", Limits.DEFAULT.labLatenessMillis()),
        map.get("repeat-invalid")
            .flatMap(value -> value.integer(0, MOST_ATTEMPTS))
            .orElse(Limits.DEFAULT.moreAttempts()));
  }

  private static double millis(YamlMap map, String key, double absent) {
    return map.get(key)
        .flatMap(value -> value.parsed(DurationText::parse))
        .map(duration -> duration.toNanos() / 1e6)
        .orElse(absent);
  }

  private static double share(YamlMap map, String key, double absent) {
    return map.get(key).flatMap(value -> value.parsed(PercentText::parse)).orElse(absent);
  }
}
