package io.slicewise.profile;

import io.slicewise.base.yaml.YamlValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Durations in a range, or zero, written {@code none}: no limit, also on an axis.
 *
 * @param telling whether texts show {@code none}, because it is not the usual value
 */
record TimeOrNone(TimeSpan span, boolean telling) implements ParameterKind<Duration> {
  static final String NONE = "none";

  @Override
  public Class<Duration> type() {
    return Duration.class;
  }

  @Override
  public String unit() {
    return span.unit();
  }

  @Override
  public Optional<Duration> read(YamlValue value) {
    return NONE.equals(value.plain()) ? Optional.of(Duration.ZERO) : span.read(value);
  }

  @Override
  public Object toYaml(Duration value) {
    return value.isZero() ? NONE : span.toYaml(value);
  }

  @Override
  public String text(Duration value) {
    return value.isZero() ? NONE : span.text(value);
  }

  @Override
  public String exact(Duration value) {
    return value.isZero() ? NONE : span.exact(value);
  }

  @Override
  public boolean isIdle(Duration value) {
    return value.isZero() && !telling;
  }

  @Override
  public OptionalDouble number(Duration value) {
    return span.number(value);
  }

  @Override
  public Optional<String> fault(Duration value, int vcpus) {
    return value.isZero() ? Optional.empty() : span.fault(value, vcpus);
  }

  @Override
  public String range(int pcpus, int vcpus) {
    return NONE + ", " + span.range(pcpus, vcpus);
  }

  @Override
  public Map<String, Object> schema() {
    return Map.of("oneOf", List.of(span.schema(), Map.of("const", NONE)));
  }
}
