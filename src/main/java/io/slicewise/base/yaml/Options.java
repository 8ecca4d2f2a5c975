package io.slicewise.base.yaml;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.PercentText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The values of options: plain values by name, each of the kind of its {@link Option}. Reading an
 * option without a value is a programming error.
 */
public record Options(Map<String, Object> values) {
  public Options {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Text, a word, a URL. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name)).map(String.class::cast);
  }

  /** A constant by its word. */
  public <E extends Enum<E>> E constant(String name, Class<E> type) {
    return EnumName.named(type, (String) present(name)).orElseThrow();
  }

  public Optional<Path> file(String name) {
    return text(name).map(Path::of);
  }

  public long whole(String name) {
    return ((Number) present(name)).longValue();
  }

  /** One whole number or several, in their order. */
  public List<Long> levels(String name) {
    return amounts(name).stream().map(Double::longValue).toList();
  }

  /** One number or several, in their order. */
  public List<Double> amounts(String name) {
    Object value = present(name);
    return (value instanceof List<?> list ? list : List.of(value))
        .stream().map(level -> ((Number) level).doubleValue()).toList();
  }

  public int integer(String name) {
    return Math.toIntExact(whole(name));
  }

  /** A whole number; empty when it is absent. */
  public OptionalInt optionalInteger(String name) {
    return has(name) ? OptionalInt.of(integer(name)) : OptionalInt.empty();
  }

  public Duration time(String name) {
    return DurationText.parse((String) present(name));
  }

  /** A time; empty when it is absent. */
  public Optional<Duration> optionalTime(String name) {
    return text(name).map(DurationText::parse);
  }

  /** A time in milliseconds. */
  public double millis(String name) {
    return time(name).toNanos() / 1e6;
  }

  /** A percentage as a share, 0..1. */
  public double share(String name) {
    return PercentText.parse((String) present(name));
  }

  /** A group of options; empty when it is absent. */
  @SuppressWarnings("unchecked")
  public Optional<Options> group(String name) {
    return Optional.ofNullable(values.get(name)).map(map -> new Options((Map<String, Object>) map));
  }

  public double number(String name) {
    return ((Number) present(name)).doubleValue();
  }

  public boolean flag(String name) {
    return (Boolean) present(name);
  }

  /** The values of a list; empty if the option is absent. */
  public <T> List<T> many(String name, Class<T> each) {
    return values.get(name) instanceof List<?> list
        ? list.stream().map(each::cast).toList()
        : List.of();
  }

  /** A list of groups; empty when the option is absent. */
  @SuppressWarnings("unchecked")
  public List<Options> groups(String name) {
    return many(name, Map.class).stream()
        .map(map -> new Options((Map<String, Object>) map))
        .toList();
  }

  private Object present(String name) {
    return Optional.ofNullable(values.get(name))
        .orElseThrow(() -> new IllegalArgumentException("option " + name + " has no value"));
  }
}
