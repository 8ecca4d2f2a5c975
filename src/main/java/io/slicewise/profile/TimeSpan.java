package io.slicewise.profile;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.YamlValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Durations in a range, in whole microseconds.
 *
 * @param tools the tools that are limited to microseconds, such as {@code Xen's tools}
 */
record TimeSpan(Duration least, Duration most, String tools) implements ParameterKind<Duration> {
  private static final int MILLI_DIGITS = 6;
  private static final long NANOS_PER_MICRO = 1_000;

  @Override
  public Class<Duration> type() {
    return Duration.class;
  }

  @Override
  public String unit() {
    return "ms";
  }

  @Override
  public Optional<Duration> read(YamlValue value) {
    return value.parsed(this::parse);
  }

  private Duration parse(String text) {
    Duration duration = DurationText.parse(text);
    if (isOutside(duration)) {
      throw new IllegalArgumentException(
          "is out of range %s..%s".formatted(DurationText.of(least), DurationText.of(most)));
    }
    if (duration.toNanos() % NANOS_PER_MICRO != 0) {
      throw new IllegalArgumentException(
          "is finer than 1us, the resolution of %s".formatted(tools));
    }
    return duration;
  }

  private boolean isOutside(Duration duration) {
    return duration.compareTo(least) < 0 || duration.compareTo(most) > 0;
  }

  @Override
  public Object toYaml(Duration value) {
    return DurationText.of(value);
  }

  @Override
  public String text(Duration value) {
    return BigDecimal.valueOf(value.toNanos(), MILLI_DIGITS).stripTrailingZeros().toPlainString()
        + " ms";
  }

  @Override
  public String exact(Duration value) {
    return DurationText.micros(value);
  }

  @Override
  public OptionalDouble number(Duration value) {
    return OptionalDouble.of(value.toNanos() / 1e6);
  }

  @Override
  public Optional<String> fault(Duration value, int vcpus) {
    return isOutside(value) ? Optional.of(outOf(least, most)) : Optional.empty();
  }

  /** Returns the rule that a duration outside a range breaks, in microseconds as the tools use. */
  static String outOf(Duration least, Duration most) {
    return "is out of range %s..%s"
        .formatted(DurationText.micros(least), DurationText.micros(most));
  }

  @Override
  public String range(int pcpus, int vcpus) {
    return DurationText.of(least) + ".." + DurationText.of(most);
  }

  @Override
  public Map<String, Object> schema() {
    return Map.of("$ref", "#/definitions/duration");
  }
}
