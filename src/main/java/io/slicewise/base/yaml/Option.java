package io.slicewise.base.yaml;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A key of a configuration file: its kind, its default and what it is for. Reading, writing a draft
 * and the published JSON Schema all use this one description.
 *
 * @param about what it is for, as a short phrase for editors and for {@code init}
 * @param otherwise the plain value that stands where the file says nothing
 * @param needed whether the file must name it; not on the embedded lab, which brings its own
 * @param place whether it says where something is or who signs in there, and nothing of what is
 *     measured there
 */
public record Option(
    String name,
    OptionKind kind,
    String about,
    Optional<Object> otherwise,
    boolean needed,
    boolean place) {
  /** One that may be left out. */
  public static Option optional(String name, OptionKind kind, String about) {
    return new Option(name, kind, about, Optional.empty(), false, false);
  }

  /** One that may be left out, for a value that then stands. */
  public static Option withDefault(String name, OptionKind kind, Object otherwise, String about) {
    return new Option(name, kind, about, Optional.of(otherwise), false, false);
  }

  /** One that must be there. */
  public static Option needed(String name, OptionKind kind, String about) {
    return new Option(name, kind, about, Optional.empty(), true, false);
  }

  /** The same, of which it is said that it is a place. */
  public Option asPlace() {
    return new Option(name, kind, about, otherwise, needed, true);
  }

  /**
   * The plain values of all options, in their order, defaults filled in; faults go to the map's
   * file.
   *
   * @param insist whether a needed option that is missing is a fault
   */
  public static Map<String, Object> readAll(
      List<Option> options, YamlMap map, Path file, boolean insist) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Option option : options) {
      if (option.needed && insist && !map.has(option.name)) {
        map.missing(option);
      }
      Optional<Object> read = map.get(option.name).flatMap(value -> option.kind.read(value, file));
      read.or(option::otherwise).ifPresent(value -> values.put(option.name, value));
    }
    return values;
  }

  /**
   * What the options say of what is measured, in words by name: all of them but places, {@code
   * none} for one without a value.
   */
  public static Map<String, String> words(List<Option> options, Map<String, Object> values) {
    Map<String, String> words = new LinkedHashMap<>();
    options.stream()
        .filter(option -> !option.place)
        .forEach(
            option ->
                words.put(
                    option.name,
                    Optional.ofNullable(values.get(option.name))
                        .map(option.kind::words)
                        .orElse("none")));
    return words;
  }

  /**
   * Returns the values of a map of options; the defaults where it is missing or no map.
   *
   * @param whose whose keys they are, as {@code " of limits"}
   */
  public static Options read(
      List<Option> options, Optional<YamlValue> value, String whose, Path file) {
    return new Options(
        value
            .flatMap(written -> written.map(names(options), whose))
            .map(map -> readAll(options, map, file, true))
            .orElseGet(() -> defaults(options)));
  }

  /** The names of the options, in their order. */
  public static List<String> names(List<Option> options) {
    return options.stream().map(Option::name).toList();
  }

  /** The JSON Schema of each option by its name, with description and default. */
  public static Map<String, Object> schemas(List<Option> options) {
    Map<String, Object> schemas = new LinkedHashMap<>();
    for (Option option : options) {
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put("description", sentence(option.about));
      schema.putAll(option.kind.schema());
      option.otherwise.ifPresent(value -> schema.put("default", value));
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
    options.forEach(option -> option.otherwise.ifPresent(value -> values.put(option.name, value)));
    return values;
  }
}
