package io.slicewise.profile;

import io.slicewise.base.yaml.YamlValue;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** True or false. */
record Flag() implements ParameterKind<Boolean> {
  @Override
  public Class<Boolean> type() {
    return Boolean.class;
  }

  @Override
  public String unit() {
    return "";
  }

  @Override
  public Optional<Boolean> read(YamlValue value) {
    return value.bool();
  }

  @Override
  public Object toYaml(Boolean value) {
    return value;
  }

  @Override
  public String text(Boolean value) {
    return value.toString();
  }

  @Override
  public OptionalDouble number(Boolean value) {
    return OptionalDouble.empty();
  }

  @Override
  public Optional<String> fault(Boolean value, int vcpus) {
    return Optional.empty();
  }

  @Override
  public Map<String, Object> schema() {
    return Map.of("type", "boolean");
  }
}
