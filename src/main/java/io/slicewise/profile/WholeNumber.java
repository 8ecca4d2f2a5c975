package io.slicewise.profile;

import io.slicewise.base.yaml.YamlValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whole numbers in a range.
 *
 * @param most the upper end in a file, which does not know a domain's vCPUs
 * @param perVcpu the upper end for each vCPU of a domain; 0 if vCPUs do not matter
 */
record WholeNumber(int least, int most, int perVcpu, String unit)
    implements ParameterKind<Integer> {
  static WholeNumber between(int least, int most) {
    return new WholeNumber(least, most, 0, "");
  }

  @Override
  public Class<Integer> type() {
    return Integer.class;
  }

  @Override
  public Optional<Integer> read(YamlValue value) {
    return value.integer(least, most);
  }

  @Override
  public Object toYaml(Integer value) {
    return value;
  }

  @Override
  public String text(Integer value) {
    return value.toString();
  }

  @Override
  public OptionalDouble number(Integer value) {
    return OptionalDouble.of(value);
  }

  @Override
  public Optional<String> fault(Integer value, int vcpus) {
    int end = perVcpu == 0 ? most : perVcpu * vcpus;
    if (value >= least && value <= end) {
      return Optional.empty();
    }
    String why = perVcpu == 0 ? "" : ", %d for each of its %d vCPUs".formatted(perVcpu, vcpus);
    return Optional.of("is out of range %d..%d%s".formatted(least, end, why));
  }

  @Override
  public int leastVcpus(Integer value) {
    return perVcpu == 0 ? 1 : Math.max(1, (value + perVcpu - 1) / perVcpu);
  }

  @Override
  public Map<String, Object> schema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "integer");
    schema.put("minimum", least);
    schema.put("maximum", most);
    return schema;
  }
}
