package io.slicewise.base.yaml;

import io.slicewise.base.units.EnumName;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kind of an option's value. Values are read as plain text, numbers, booleans, lists and maps,
 * so that a resolved experiment can be written and read again; invalid values are errors with their
 * line.
 */
public interface OptionKind {
  /**
   * Reads a value; empty if it was invalid, after adding an error to those of the file.
   *
   * @param file the experiment's file, to which relative paths are relative
   */
  Optional<Object> read(YamlValue value, Path file);

  /** The JSON Schema of a value; it may refer to definitions of the experiment's schema. */
  Map<String, Object> schema();

  /** An example value for a draft of a file. */
  default String example() {
    return "guest";
  }

  /**
   * Returns a read value as text, which is equal if the same is measured, even in another place.
   */
  default String describe(Object value) {
    return value.toString();
  }

  /** Non-blank text. */
  record Text(String example) implements OptionKind {
    /** Creates the kind of texts whose example is a guest. */
    public Text() {
      this("guest");
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("$ref", "#/definitions/text");
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.text().map(text -> text);
    }
  }

  /** A file or directory, relative to the experiment; {@code ~/} is the home directory. */
  record File() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return Map.of("$ref", "#/definitions/text");
    }

    @Override
    public String example() {
      return "a-file";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value
          .text()
          .flatMap(text -> value.parsed(path -> resolve(file, path).normalize().toString()));
    }

    private static Path resolve(Path file, String text) {
      return text.startsWith("~/")
          ? Path.of(System.getProperty("user.home")).resolve(text.substring(2))
          : file.toAbsolutePath().resolveSibling(text);
    }
  }

  /** A whole number, both ends of the range included. */
  record Whole(long least, long most) implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return ordered("type", "integer", "minimum", least, "maximum", most);
    }

    @Override
    public String example() {
      return String.valueOf(least);
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.whole(least, most).map(number -> number);
    }
  }

  /** A number, or a list of several different ones: an axis that an experiment may sweep. */
  record Levels(OptionKind each) implements OptionKind {
    /** Levels that are whole numbers, both ends of the range included. */
    public Levels(long least, long most) {
      this(new Whole(least, most));
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("anyOf", List.of(each.schema(), several().schema()));
    }

    private OptionKind several() {
      return new Distinct(each, "number");
    }

    @Override
    public String example() {
      return each.example();
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return (value.isList() ? several() : each).read(value, file);
    }

    /** Several values are an axis; each trial records its own position. */
    @Override
    public String describe(Object value) {
      List<?> levels = value instanceof List<?> list ? list : List.of(value);
      return levels.size() == 1 ? levels.get(0).toString() : "swept";
    }
  }

  /** A number above 0, whole or with a fraction. */
  record Positive() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return ordered("type", "number", "exclusiveMinimum", 0);
    }

    @Override
    public String example() {
      return "1.0";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      if (value.plain() instanceof Number number
          && number.doubleValue() > 0
          && Double.isFinite(number.doubleValue())) {
        return Optional.of(number.doubleValue());
      }
      value.refuse("must be a number above 0");
      return Optional.empty();
    }
  }

  /** {@code true} or {@code false}. */
  record Flag() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return Map.of("type", "boolean");
    }

    @Override
    public String example() {
      return "true";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.bool().map(flag -> flag);
    }
  }

  /** One of several words. */
  record Word(List<String> words) implements OptionKind {
    public Word {
      words = List.copyOf(words);
    }

    /** The words of constants, as {@link Options#constant} reads them. */
    public static Word of(Enum<?>... constants) {
      return new Word(Stream.of(constants).map(EnumName::of).toList());
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("enum", words);
    }

    @Override
    public String example() {
      return words.get(0);
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.oneOf(words).map(word -> word);
    }
  }

  /** The URL of an HTTP server. */
  record Url() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return ordered("type", "string", "pattern", "^https?://[^/?#@\\s]+([/?#]\\S*)?$");
    }

    @Override
    public String example() {
      return "http://guest/";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.parsed(Url::parse).map(URI::toString);
    }

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException with the violated rule as its message
     */
    public static URI parse(String text) {
      URI uri;
      try {
        uri = URI.create(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("is not a URL", e);
      }
      if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())) {
        throw new IllegalArgumentException("must be a URL such as http://web.example:8080/index");
      }
      if (uri.getUserInfo() != null) {
        throw new IllegalArgumentException("must not contain a user or a password");
      }
      return uri;
    }
  }

  /** An argument of a program: text of one line that does not begin with a dash. */
  record Argument() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return Map.of("$ref", "#/definitions/word");
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      Optional<String> text = value.text();
      // Programs would interpret it as an option.
      if (text.filter(word -> word.startsWith("-")).isPresent()) {
        value.refuse("must not begin with a dash");
      } else if (text.filter(word -> word.chars().anyMatch(Character::isISOControl)).isPresent()) {
        value.refuse("must not contain a control character");
      }
      return text.map(word -> word);
    }
  }

  /**
   * Text that matches a pattern.
   *
   * @param rule the message for text that does not match, as {@code must be a version such as 4.17}
   */
  record Shaped(String pattern, String rule) implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return ordered("type", "string", "pattern", pattern);
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      Optional<String> text = value.text();
      if (text.filter(written -> !written.matches(pattern)).isPresent()) {
        value.refuse(rule);
        return Optional.empty();
      }
      return text.map(written -> written);
    }
  }

  /**
   * Text that a parser checks.
   *
   * @param parser throws {@link IllegalArgumentException} with the rule that is broken
   */
  record Parsed(Map<String, Object> schema, String example, UnaryOperator<String> parser)
      implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.parsed(parser).map(text -> text);
    }
  }

  /** A map from arbitrary names to values of one kind. */
  record Named(OptionKind each) implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return ordered(
          "type",
          "object",
          "propertyNames",
          Map.of("pattern", "\\S"),
          "additionalProperties",
          each.schema());
    }

    @Override
    public String example() {
      return "{name: " + each.example() + "}";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value
          .anyMap(value.asOwner())
          .map(
              map -> {
                Map<String, Object> values = new LinkedHashMap<>();
                for (String key : map.keys()) {
                  map.get(key)
                      .flatMap(one -> each.read(one, file))
                      .ifPresent(one -> values.put(key, one));
                }
                return values;
              });
    }
  }

  /** Several values of one kind. */
  record Many(OptionKind each, int least, int most) implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return ordered("type", "array", "minItems", least, "maxItems", most, "items", each.schema());
    }

    @Override
    public String example() {
      return "[" + each.example() + "]";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      List<Object> items = new ArrayList<>();
      List<YamlValue> written = value.items();
      written.forEach(item -> each.read(item, file).ifPresent(items::add));
      if (value.isList() && (written.size() < least || written.size() > most)) {
        value.refuse("must have %d to %d entries".formatted(least, most));
      }
      return items.size() == written.size() ? Optional.of(items) : Optional.empty();
    }

    @Override
    public String describe(Object value) {
      return ((List<?>) value).stream().map(each::describe).collect(Collectors.joining(", "));
    }
  }

  /** A map of further options. */
  record Group(List<Option> options) implements OptionKind {
    public Group {
      options = List.copyOf(options);
    }

    @Override
    public Map<String, Object> schema() {
      Map<String, Object> schema = ordered("type", "object", "additionalProperties", false);
      List<String> needed = Option.names(options.stream().filter(Option::needed).toList());
      if (!needed.isEmpty()) {
        schema.put("required", needed);
      }
      schema.put("properties", Option.schemas(options));
      return schema;
    }

    @Override
    public String example() {
      return options.stream()
          .filter(Option::needed)
          .map(option -> option.name() + ": " + option.kind().example())
          .collect(Collectors.joining(", ", "{", "}"));
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value
          .map(Option.names(options), value.asOwner())
          .map(map -> Option.readAll(options, map, file, true));
    }

    @Override
    @SuppressWarnings("unchecked")
    public String describe(Object value) {
      return Option.describe(options, (Map<String, Object>) value).entrySet().stream()
          .map(option -> option.getKey() + " " + option.getValue())
          .collect(Collectors.joining(" "));
    }
  }

  /** Returns a map in the given order: key, value, key, value, … */
  static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
