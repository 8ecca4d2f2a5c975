package io.slicewise.workload;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.workload.target.Database;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What may stand behind an option's name. A value is read into plain text, numbers, booleans, lists
 * and maps, so that a resolved experiment can be written out and read again; what does not fit is a
 * fault at its line. The published schema is held against these kinds by a test.
 */
public sealed interface OptionKind {
  /**
   * Reads a value; empty when it was faulty, which the value's file has been told.
   *
   * @param file the experiment's, besides which relative paths lie
   */
  Optional<Object> read(YamlValue value, Path file);

  /** A value that was read, in words; equal where the same is measured, wherever that is. */
  default String words(Object value) {
    return value.toString();
  }

  /** Text that is not blank. */
  record Text() implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.text().map(text -> text);
    }
  }

  /** A file or directory; a relative one lies besides the experiment, {@code ~/} is the home. */
  record File() implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.text().map(text -> besides(file, text).normalize().toString());
    }

    private static Path besides(Path file, String text) {
      return text.startsWith("~/")
          ? Path.of(System.getProperty("user.home")).resolve(text.substring(2))
          : file.toAbsolutePath().resolveSibling(text);
    }
  }

  /** A whole number, both ends of the range included. */
  record Whole(long least, long most) implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.whole(least, most).map(number -> number);
    }
  }

  /** A whole number, or a list of several different ones: what an experiment may sweep. */
  record Levels(long least, long most) implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      if (!value.isList()) {
        return value.whole(least, most).map(number -> number);
      }
      List<Object> levels = new ArrayList<>();
      List<YamlValue> written = value.items();
      for (YamlValue item : written) {
        item.whole(least, most)
            .ifPresent(
                level -> {
                  if (levels.contains(level)) {
                    item.refuse("stands there twice");
                  } else {
                    levels.add(level);
                  }
                });
      }
      if (written.isEmpty()) {
        value.refuse("must name at least one number");
      }
      return levels.isEmpty() || levels.size() < written.size()
          ? Optional.empty()
          : Optional.of(levels);
    }

    /** Several are an axis, of which each trial says where on it it is. */
    @Override
    public String words(Object value) {
      List<?> levels = value instanceof List<?> list ? list : List.of(value);
      return levels.size() == 1 ? levels.get(0).toString() : "swept";
    }
  }

  /** A number above 0, whole or with a fraction. */
  record Positive() implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      if (value.plain() instanceof Number number && number.doubleValue() > 0) {
        return Optional.of(number.doubleValue());
      }
      value.refuse("must be a number above 0");
      return Optional.empty();
    }
  }

  /** {@code true} or {@code false}. */
  record Flag() implements OptionKind {
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

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.oneOf(words).map(word -> word);
    }
  }

  /** Where an HTTP server answers. */
  record Url() implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.parsed(Url::parse).map(URI::toString);
    }

    /**
     * The URL in a text.
     *
     * @throws IllegalArgumentException whose message is the rule that the text breaks
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
        throw new IllegalArgumentException("must not hold a user or a password");
      }
      return uri;
    }
  }

  /** A JDBC address without a password in it. */
  record Jdbc() implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.parsed(
          text -> {
            try {
              return new Database(text, "", Secret.NONE).url();
            } catch (SlicewiseException refused) {
              throw new IllegalArgumentException(
                  "does not do: " + refused.getMessage() + "; " + refused.hint(), refused);
            }
          });
    }

    /** Whether there is one may matter, but not where. */
    @Override
    public String words(Object value) {
      return "given";
    }
  }

  /** Several values of one kind. */
  record Many(OptionKind each, int least, int most) implements OptionKind {
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      List<Object> items = new ArrayList<>();
      List<YamlValue> written = value.items();
      written.forEach(item -> each.read(item, file).ifPresent(items::add));
      if (value.isList() && (written.size() < least || written.size() > most)) {
        value.refuse("must have " + least + " to " + most + " entries");
      }
      return items.size() == written.size() ? Optional.of(items) : Optional.empty();
    }

    @Override
    public String words(Object value) {
      return ((List<?>) value).stream().map(each::words).collect(Collectors.joining(", "));
    }
  }

  /** A map of further options. */
  record Group(List<Option> options) implements OptionKind {
    public Group {
      options = List.copyOf(options);
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.map(options.stream().map(Option::name).toList(), "").map(map -> read(map, file));
    }

    @Override
    @SuppressWarnings("unchecked")
    public String words(Object value) {
      return Option.words(options, (Map<String, Object>) value).entrySet().stream()
          .map(option -> option.getKey() + " " + option.getValue())
          .collect(Collectors.joining(" "));
    }

    private Map<String, Object> read(YamlMap map, Path file) {
      return Option.readAll(options, map, file, true);
    }
  }
}
