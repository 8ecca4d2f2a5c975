package io.slicewise.profile;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.YamlValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
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
  default String unit() {
    return "";
  }

  /** Reads the value in a file; empty after a fault, which is recorded with its line. */
  Optional<T> read(YamlValue value);

  /** The value as a file contains it. */
  Object toYaml(T value);

  /** Returns the value for people: {@code 20 ms}. */
  default String text(T value) {
    return String.valueOf(toYaml(value));
  }

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

  /** Returns whether a value can be seen while a change between these values is under way. */
  default boolean isOnTheWay(T value, List<T> known) {
    return known.contains(value);
  }

  /** Returns the value's position on an axis, in {@link #unit}; empty if it has none. */
  default OptionalDouble number(T value) {
    return OptionalDouble.empty();
  }

  /** Returns the difference of values in a search, in {@link #unit}: all hosts can set it. */
  default double step() {
    return 1;
  }

  /** Returns the rule that a value breaks for a domain with that many vCPUs; empty if none. */
  default Optional<String> fault(T value, int vcpus) {
    return Optional.empty();
  }

  /**
   * Returns the value that a search names, such as a set of pCPUs; empty if this kind's values are
   * numbers.
   *
   * @throws IllegalArgumentException with the rule that the text breaks
   */
  default Optional<T> choice(String text) {
    return Optional.empty();
  }

  /** Returns the number of vCPUs that a domain needs for this value. */
  default int leastVcpus(T value) {
    return 1;
  }

  /**
   * Returns the possible values for people.
   *
   * @param pcpus of the host, as in {@code 0-3,6}
   * @param vcpus of the domain
   */
  String range(String pcpus, int vcpus);

  /** Returns the rule as JSON Schema. */
  Map<String, Object> schema();

  /** True or false. */
  record Flag() implements ParameterKind<Boolean> {
    @Override
    public Class<Boolean> type() {
      return Boolean.class;
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
    public String range(String pcpus, int vcpus) {
      return "true, false";
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("type", "boolean");
    }
  }

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
    public String range(String pcpus, int vcpus) {
      return least + ".." + (perVcpu == 0 ? most : perVcpu * vcpus);
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

  /**
   * Durations in a range, in whole microseconds.
   *
   * @param tools the tools that are limited to microseconds, such as {@code Xen's tools}
   * @param step in ms; some tools are limited to milliseconds
   */
  record TimeSpan(Duration least, Duration most, String tools, double step)
      implements ParameterKind<Duration> {
    private static final int MILLI_DIGITS = 6;
    private static final long NANOS_PER_MICRO = 1_000;

    TimeSpan(Duration least, Duration most, String tools) {
      this(least, most, tools, 0.001);
    }

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

    /**
     * Returns the rule that a duration outside a range breaks, in microseconds as the tools use.
     */
    static String outOf(Duration least, Duration most) {
      return "is out of range %s..%s"
          .formatted(DurationText.micros(least), DurationText.micros(most));
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return DurationText.of(least) + ".." + DurationText.of(most);
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("$ref", "#/definitions/duration");
    }
  }

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
    public double step() {
      return span.step();
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
    public String range(String pcpus, int vcpus) {
      return NONE + ", " + span.range(pcpus, vcpus);
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("oneOf", List.of(span.schema(), Map.of("const", NONE)));
    }
  }
}
