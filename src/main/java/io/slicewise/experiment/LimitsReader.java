package io.slicewise.experiment;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.yaml.YamlMap;

/** What an experiment file says under {@code limits}. */
final class LimitsReader {
  static final int MOST_ATTEMPTS = 100;

  private LimitsReader() {}

  static ValidityLimits read(YamlMap top) {
    return top.get("limits")
        .flatMap(value -> value.map(ExperimentKeys.LIMITS, " of limits"))
        .map(LimitsReader::limits)
        .orElse(ValidityLimits.DEFAULT);
  }

  private static ValidityLimits limits(YamlMap map) {
    return new ValidityLimits(
        share(map, "errors", ValidityLimits.DEFAULT.errorShare()),
        share(map, "generator-cpu", ValidityLimits.DEFAULT.generatorCpuShare()),
        millis(map, "generator-lateness", ValidityLimits.DEFAULT.generatorLatenessMillis()),
        share(map, "generator-gc", ValidityLimits.DEFAULT.generatorPauseShare()),
        share(map, "littles-law", ValidityLimits.DEFAULT.littlesLawError()),
        millis(map, "lab-lateness", ValidityLimits.DEFAULT.labLatenessMillis()),
        map.get("repeat-invalid")
            .flatMap(value -> value.integer(0, MOST_ATTEMPTS))
            .orElse(ValidityLimits.DEFAULT.moreAttempts()));
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
