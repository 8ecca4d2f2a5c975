package io.slicewise.profile;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Whole numbers in a range, or 0, written {@code default}: the host's default. */
record NumberOrDefault(int least, int most) implements ParameterKind<Integer> {
  static final int DEFAULT = 0;
  private static final String WORD = "default";

  @Override
  public Class<Integer> type() {
    return Integer.class;
  }

  @Override
  public String unit() {
    return "";
  }

  @Override
  public Optional<Integer> read(YamlValue value) {
    return WORD.equals(value.plain()) ? Optional.of(DEFAULT) : value.integer(least, most);
  }

  @Override
  public Object toYaml(Integer value) {
    return value == DEFAULT ? WORD : value;
  }

  @Override
  public String text(Integer value) {
    return String.valueOf(toYaml(value));
  }

  @Override
  public OptionalDouble number(Integer value) {
    return value == DEFAULT ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  @Override
  public Optional<String> fault(Integer value, int vcpus) {
    return value == DEFAULT || (value >= least && value <= most)
        ? Optional.empty()
        : Optional.of("is out of range %d..%d".formatted(least, most));
  }

  @Override
  public Map<String, Object> schema() {
    return Map.of(
        "oneOf",
        List.of(
            OptionKind.ordered("type", "integer", "minimum", least, "maximum", most),
            Map.of("const", WORD)));
  }
}
