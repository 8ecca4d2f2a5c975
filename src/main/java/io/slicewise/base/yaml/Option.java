package io.slicewise.base.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A key of a configuration file: its kind, its default and its purpose. Reading, drafts and the
 * published JSON Schema all use this description.
 *
 * @param about its purpose, as a short phrase for editors and for {@code init}
 * @param defaultValue the plain value used if the file does not set it
 * @param needed whether the file must set it; not needed on the embedded lab, which has its own
 * @param place whether it only locates something or names the user who signs in, so does not affect
 *     what is measured
 */
public record Option(
    String name,
    OptionKind kind,
    String about,
    Optional<Object> defaultValue,
    boolean needed,
    boolean place) {
  /** Returns an optional key. */
  public static Option optional(String name, OptionKind kind, String about) {
    return new Option(name, kind, about, Optional.empty(), false, false);
  }

  /** Returns an optional key with a default. */
  public static Option withDefault(
      String name, OptionKind kind, Object defaultValue, String about) {
    return new Option(name, kind, about, Optional.of(defaultValue), false, false);
  }

  /** Returns a required key. */
  public static Option needed(String name, OptionKind kind, String about) {
    return new Option(name, kind, about, Optional.empty(), true, false);
  }

  /** Returns the same key, marked as a place. */
  public Option asPlace() {
    return new Option(name, kind, about, defaultValue, needed, true);
  }

  /**
   * Reads the plain values of all options, in their order, including defaults; adds errors to those
   * of the map's file.
   *
   * @param insist whether a missing required option is an error
   */
  public static Map<String, Object> readAll(
      List<Option> options, YamlMap map, Path file, boolean insist) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Option option : options) {
      if (option.needed && insist && !map.has(option.name)) {
        map.missing(option);
      }
      Optional<Object> read = map.get(option.name).flatMap(value -> option.kind.read(value, file));
      read.or(option::defaultValue).ifPresent(value -> values.put(option.name, value));
    }
    return values;
  }

  /**
   * Describes what is measured: the text of all options except places, by name; {@code none} for
   * one without a value.
   */
  public static Map<String, String> describe(List<Option> options, Map<String, Object> values) {
    Map<String, String> words = new LinkedHashMap<>();
    options.stream()
        .filter(option -> !option.place)
        .forEach(
            option ->
                words.put(
                    option.name,
                    Optional.ofNullable(values.get(option.name))
                        .map(option.kind::describe)
                        .orElse("none")));
    return words;
  }

  /**
   * Returns the values of a map of options; the defaults if it is missing or not a map.
   *
   * @param whose the owner of the keys for messages, as {@code " of limits"}
   */
  public static Options read(
      List<Option> options, Optional<YamlValue> value, String whose, Path file) {
    return new Options(
        value
            .flatMap(written -> written.map(names(options), whose))
            .map(map -> readAll(options, map, file, true))
            .orElseGet(() -> defaults(options)));
  }

  /** Returns the options of several lists as one. */
  @SafeVarargs
  public static List<Option> join(List<Option>... parts) {
    List<Option> all = new ArrayList<>();
    for (List<Option> part : parts) {
      all.addAll(part);
    }
    return List.copyOf(all);
  }

  /** The names of the options, in their order. */
  public static List<String> names(List<Option> options) {
    return options.stream().map(Option::name).toList();
  }

  /** The JSON Schema of each option, by name, with description and default. */
  public static Map<String, Object> schemas(List<Option> options) {
    Map<String, Object> schemas = new LinkedHashMap<>();
    for (Option option : options) {
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put("description", sentence(option.about));
      schema.putAll(option.kind.schema());
      option.defaultValue.ifPresent(value -> schema.put("default", value));
      schemas.put(option.name, schema);
    }
    return schemas;
  }

  private static String sentence(String phrase) {
    return phrase.substring(0, 1).toUpperCase(Locale.ROOT) + phrase.substring(1) + ".";
  }

  /** The defaults of all options that have one, by name. */
  public static Map<String, Object> defaults(List<Option> options) {
    Map<String, Object> values = new LinkedHashMap<>();
    options.forEach(
        option -> option.defaultValue.ifPresent(value -> values.put(option.name, value)));
    return values;
  }
}
