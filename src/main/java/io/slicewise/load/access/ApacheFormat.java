package io.slicewise.load.access;

import io.slicewise.load.access.LineFormats.LineFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The layout of a {@code LogFormat} of Apache, which is text with directives. */
final class ApacheFormat {
  static final String LINE = "%{begin:usec}t %{end:usec}t %D %>s %m %X %v %B \"%U%q\"";

  private static final Pattern DIRECTIVE =
      Pattern.compile("^\\s*LogFormat\\s+\"((?:[^\"\\\\]|\\\\.)*)\"(?:\\s+\\S+)?\\s*$");
  private static final Pattern FIELD =
      Pattern.compile("%[!0-9,]*[<>]?(?:\\{([^}]*)\\})?(\\^[A-Z]{2}|[a-zA-Z%])");

  private ApacheFormat() {}

  private record Meaning(Field field, Unit unit) {
    static final Meaning NONE = new Meaning(Field.OTHER, Unit.MICROS);
  }

  /**
   * Returns the layout of a LogFormat, with or without its directive.
   *
   * @throws IllegalArgumentException if it lacks what every request needs
   */
  static LineFormat of(String logFormat) {
    Matcher directive = DIRECTIVE.matcher(logFormat);
    String text =
        directive.matches() ? directive.group(1).replaceAll("\\\\(.)", "$1") : logFormat.strip();
    List<Layout.Part> parts = new ArrayList<>();
    Matcher found = FIELD.matcher(text);
    int at = 0;
    long resolution = 1;
    while (found.find()) {
      String before = text.substring(at, found.start());
      at = found.end();
      boolean query = found.group(2).equals("q");
      if (before.isEmpty() && !parts.isEmpty()) {
        if (!query) {
          throw new IllegalArgumentException(
              "has nothing between %s and the field before it".formatted(found.group()));
        }
        // The query follows the path without anything between them.
        continue;
      }
      Meaning meaning = meaning(found.group(2), Optional.ofNullable(found.group(1)).orElse(""));
      if (meaning.field() == Field.DURATION && meaning.unit() == Unit.MILLIS) {
        resolution = 1000;
      }
      parts.add(new Layout.Part(before, meaning.field(), meaning.unit(), false));
    }
    need(parts, "%D", Field.DURATION);
    need(parts, "%{begin:usec}t", Field.START, Field.END);
    need(parts, "%>s", Field.STATUS);
    return new Layout(parts, resolution);
  }

  private static void need(List<Layout.Part> parts, String shown, Field... any) {
    List<Field> fields = List.of(any);
    if (parts.stream().noneMatch(part -> fields.contains(part.field()))) {
      throw new IllegalArgumentException(
          "has no %s; add to Apache: LogFormat \"%s\" slicewise and: CustomLog FILE slicewise"
              .formatted(shown, LINE.replace("\"", "\\\"")));
    }
  }

  private static Meaning meaning(String letter, String argument) {
    return switch (letter) {
      case "D" -> new Meaning(Field.DURATION, Unit.MICROS);
      case "T" ->
          switch (argument) {
            case "us" -> new Meaning(Field.DURATION, Unit.MICROS);
            case "ms" -> new Meaning(Field.DURATION, Unit.MILLIS);
            // Whole seconds are no duration of a request.
            default -> Meaning.NONE;
          };
      case "t" ->
          switch (argument) {
            case "usec", "begin:usec" -> new Meaning(Field.START, Unit.MICROS);
            case "msec", "begin:msec" -> new Meaning(Field.START, Unit.MILLIS);
            case "end:usec" -> new Meaning(Field.END, Unit.MICROS);
            case "end:msec" -> new Meaning(Field.END, Unit.MILLIS);
            default -> Meaning.NONE;
          };
      case "^FB" -> new Meaning(Field.UPSTREAM, Unit.MICROS);
      case "s" -> new Meaning(Field.STATUS, Unit.MICROS);
      case "m" -> new Meaning(Field.METHOD, Unit.MICROS);
      case "U" -> new Meaning(Field.PATH, Unit.MICROS);
      case "r" -> new Meaning(Field.REQUEST, Unit.MICROS);
      case "v", "V" -> new Meaning(Field.HOST, Unit.MICROS);
      case "i" ->
          argument.equalsIgnoreCase("Host") ? new Meaning(Field.HOST, Unit.MICROS) : Meaning.NONE;
      case "b", "B", "O" -> new Meaning(Field.BYTES, Unit.MICROS);
      case "X" -> new Meaning(Field.CONNECTION, Unit.MICROS);
      default -> Meaning.NONE;
    };
  }
}
