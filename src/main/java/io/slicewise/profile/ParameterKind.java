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

  /** Reads the value in a file; empty after a fault, which is recorded with its line. */
  Optional<T> read(YamlValue value);

  /** The value as a file contains it. */
  Object toYaml(T value);

  /** Returns the value for people: {@code 20 ms}. */
  String text(T value);

  /** Returns the value in the toolstack's unit, for error messages. */
  default String exact(T value) {
    return String.valueOf(toYaml(value));
  }

  /** Returns whether the value has no effect, such as no quota. */
  default boolean isIdle(T value) {
    return false;
  }

  /** Returns whether the value means that the current one is not changed. */
  default boolean isAsFound(T value) {
    return false;
  }

  /** Returns the value's position on an axis, in {@link #unit}; empty if it has none. */
  OptionalDouble number(T value);

  /** Returns the rule that a value breaks for a domain with that many vCPUs; empty if none. */
  Optional<String> fault(T value, int vcpus);

  /** Returns the number of vCPUs that a domain needs for this value. */
  default int leastVcpus(T value) {
    return 1;
  }

  /** Returns the rule as JSON Schema. */
  Map<String, Object> schema();
}
