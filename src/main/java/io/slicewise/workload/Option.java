package io.slicewise.workload;

import io.slicewise.base.yaml.YamlMap;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One key that a workload understands in an experiment file beside {@code name}, {@code plan},
 * {@code target} and {@code properties}.
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
        map.fault("'" + option.name + "' is missing: " + option.about);
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
  static Map<String, String> words(List<Option> options, Map<String, Object> values) {
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

  /** What stands where a file says nothing at all. */
  public static Map<String, Object> defaults(List<Option> options) {
    Map<String, Object> values = new LinkedHashMap<>();
    options.forEach(option -> option.otherwise.ifPresent(value -> values.put(option.name, value)));
    return values;
  }
}
