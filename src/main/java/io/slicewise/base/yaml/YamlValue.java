package io.slicewise.base.yaml;

import io.slicewise.base.units.Secret;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A value in a file. Every reading method returns empty and adds an error if the value is invalid;
 * the error names the key, the value, its owner and the rule.
 */
public final class YamlValue {
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
  private static final Pattern FRACTION =
      Pattern.compile("-?(0|[1-9][0-9]*)\\.[0-9]+([eE][-+]?[0-9]+)?");

  private final String file;
  private final String key;
  private final String owner;
  private final Node node;
  private final Faults faults;

  /**
   * @param key the name of the value in messages
   * @param owner the owner of the value, as {@code " of Apache_Server"}; empty at the top of a file
   */
  YamlValue(String file, String key, String owner, Node node, Faults faults) {
    this.file = file;
    this.key = key;
    this.owner = owner;
    this.node = node;
    this.faults = faults;
  }

  /** Adds an error with the caller's message at the line of this value. */
  public void fault(String message) {
    faults.add(file, line(node), message);
  }

  /** Adds an error that begins with key, value and owner: {@code weight 0 of web RULE}. */
  public void refuse(String rule) {
    String value =
        node instanceof ScalarNode scalar && faults.mayQuote(file)
            ? " " + shown(scalar.getValue())
            : "";
    fault(key + value + owner + " " + rule);
  }

  private static String shown(String text) {
    String line = Secret.masked(text).replaceAll("\\p{Cntrl}", " ");
    String shortened = line.length() > 60 ? line.substring(0, 57) + "..." : line;
    return line.isBlank() ? "'" + shortened + "'" : shortened;
  }

  /** The name of this value as an owner in messages: {@code " of limits"}. */
  String asOwner() {
    return " of " + key;
  }

  /** The line where a node starts; 0 if it was not read from text. */
  static int line(Node node) {
    return node.getStartMark() == null ? 0 : node.getStartMark().getLine() + 1;
  }

  public boolean isText() {
    return node instanceof ScalarNode;
  }

  public boolean isList() {
    return node instanceof SequenceNode;
  }

  /** Text; an unquoted number, boolean or null is rejected. */
  public Optional<String> text() {
    if (!(node instanceof ScalarNode scalar)) {
      refuse("must be text");
      return Optional.empty();
    }
    Tag tag = scalar.getTag();
    if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT) || tag.equals(Tag.BOOL)) {
      refuse("must be text; put it in quotes");
      return Optional.empty();
    }
    if (tag.equals(Tag.NULL) || scalar.getValue().isBlank()) {
      refuse("must not be empty");
      return Optional.empty();
    }
    return Optional.of(scalar.getValue());
  }

  /**
   * Text that a parser converts to a value; the message of its {@link IllegalArgumentException} is
   * the rule in the error.
   */
  public <T> Optional<T> parsed(Function<String, T> parser) {
    if (!(node instanceof ScalarNode scalar) || node.getTag().equals(Tag.NULL)) {
      refuse("must be a single value");
      return Optional.empty();
    }
    try {
      return Optional.of(parser.apply(scalar.getValue()));
    } catch (IllegalArgumentException e) {
      refuse(e.getMessage());
      return Optional.empty();
    }
  }

  /** The meaning of one of several words, of which YAML's own {@code null} can be one. */
  public <T> Optional<T> oneOf(Map<String, T> words) {
    if (node instanceof ScalarNode scalar
        && scalar.getTag().equals(Tag.NULL)
        && words.containsKey(scalar.getValue())) {
      return Optional.of(words.get(scalar.getValue()));
    }
    return text()
        .flatMap(
            text -> {
              Optional<T> found = Optional.ofNullable(words.get(text));
              if (found.isEmpty()) {
                refuse(
                    "is not one of %s%s"
                        .formatted(
                            String.join(", ", words.keySet()),
                            Suggestion.of(text, words.keySet())));
              }
              return found;
            });
  }

  /** One of several words. */
  public Optional<String> oneOf(Collection<String> words) {
    Map<String, String> map = new LinkedHashMap<>();
    words.forEach(word -> map.put(word, word));
    return oneOf(map);
  }

  /** A whole number, both ends of the range included. */
  public Optional<Long> whole(long least, long most) {
    if (!(node instanceof ScalarNode scalar)
        || !scalar.isPlain()
        || !WHOLE.matcher(scalar.getValue()).matches()) {
      refuse("must be a whole number");
      return Optional.empty();
    }
    long number = Long.parseLong(scalar.getValue());
    if (number < least || number > most) {
      refuse(
          most == Long.MAX_VALUE
              ? "must be at least " + least
              : "is out of range " + least + ".." + most);
      return Optional.empty();
    }
    return Optional.of(number);
  }

  /** As {@link #whole}, for an {@code int}. */
  public Optional<Integer> integer(int least, int most) {
    return whole(least, most == Integer.MAX_VALUE ? Long.MAX_VALUE : most)
        .filter(
            number -> {
              boolean fits = number <= Integer.MAX_VALUE;
              if (!fits) {
                refuse("is out of range " + least + ".." + most);
              }
              return fits;
            })
        .map(Long::intValue);
  }

  /** {@code true} or {@code false}, but none of YAML's other spellings. */
  public Optional<Boolean> bool() {
    String text = node instanceof ScalarNode scalar && scalar.isPlain() ? scalar.getValue() : "";
    if (!text.equals("true") && !text.equals("false")) {
      refuse("must be true or false");
      return Optional.empty();
    }
    return Optional.of(text.equals("true"));
  }

  /** The entries of a list, in order; an error and none if it is not a list. */
  public List<YamlValue> items() {
    if (!(node instanceof SequenceNode sequence)) {
      refuse("must be a list");
      return List.of();
    }
    List<YamlValue> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(new YamlValue(file, key, owner, item, faults));
    }
    return items;
  }

  /** A map with fixed keys; every other key is an error with a suggestion. */
  public Optional<YamlMap> map(Collection<String> known, String whose) {
    return anyMap(whose)
        .map(
            map -> {
              map.refuseUnknown(known);
              return map;
            });
  }

  /** A map with arbitrary keys. */
  public Optional<YamlMap> anyMap(String whose) {
    if (!(node instanceof MappingNode mapping)) {
      refuse("must be a map of keys and values");
      return Optional.empty();
    }
    return Optional.of(YamlMap.of(file, whose, mapping, faults));
  }

  /** The map in which lists are choices; an error if it is not a map. */
  public Optional<Variants> variants(String whose) {
    if (!(node instanceof MappingNode)) {
      refuse("must be a map of keys and values");
      return Optional.empty();
    }
    return Optional.of(new Variants(file, whose, node, faults));
  }

  /**
   * The value as plain lists, maps, strings, numbers and booleans, for parts of a file that other
   * code interprets. Anything other than a plain decimal number, {@code true} or {@code false} is a
   * string.
   */
  public Object plain() {
    if (node instanceof SequenceNode) {
      return items().stream().map(YamlValue::plain).toList();
    }
    if (node instanceof MappingNode) {
      return anyMap(owner).map(YamlMap::plain).orElse(Map.of());
    }
    return plain((ScalarNode) node);
  }

  private static Object plain(ScalarNode scalar) {
    String text = scalar.getValue();
    if (scalar.isPlain() && WHOLE.matcher(text).matches()) {
      long number = Long.parseLong(text);
      return number == (int) number ? (Object) (int) number : (Object) number;
    }
    if (scalar.isPlain() && FRACTION.matcher(text).matches()) {
      return Double.valueOf(text);
    }
    if (scalar.isPlain() && (text.equals("true") || text.equals("false"))) {
      return Boolean.valueOf(text);
    }
    return text;
  }
}
