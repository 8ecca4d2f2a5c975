package io.slicewise.profile;

import io.slicewise.base.yaml.YamlValue;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The values that a parameter can have: how they are read, checked, written and printed.
 *
 * @param <T> an immutable type with {@code equals}, which the JSON of a run directory can write and
 *     read
 */
public interface ParameterKind<T> {
  /** The type of the values. */
  Class<T> type();

  /** The unit of {@link #number}: {@code ms}, {@code %}, or empty. */
  String unit();

  /** The value in a file; empty after a fault, which is recorded with its line. */
  Optional<T> read(YamlValue value);

  /** The value as a file contains it. */
  Object toYaml(T value);

  /** The value for people: {@code 20 ms}. */
  String text(T value);

  /** The value as a toolstack counts it, for refusals. */
  default String exact(T value) {
    return String.valueOf(toYaml(value));
  }

  /** Whether the value sets nothing, as a quota of none. */
  default boolean isIdle(T value) {
    return false;
  }

  /** The value's place on an axis, in {@link #unit}; empty if it has none. */
  OptionalDouble number(T value);

  /** The rule that a value breaks for a domain with that many vCPUs; empty if it breaks none. */
  Optional<String> fault(T value, int vcpus);

  /** How many vCPUs a domain needs for this value. */
  default int leastVcpus(T value) {
    return 1;
  }

  /** The rule as JSON Schema. */
  Map<String, Object> schema();
}
