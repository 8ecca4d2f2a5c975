package io.slicewise.load.access;

import io.slicewise.load.access.LineFormats.LineFormat;
import java.util.List;
import java.util.Optional;

/**
 * Fields with fixed text between them, as nginx and Apache write them. A field ends where the text
 * after it begins; in quotes, backslashes escape.
 */
record Layout(List<Part> parts, long resolutionMicros) implements LineFormat {
  /**
   * A field.
   *
   * @param before the text before it
   * @param list whether it may contain blanks, as nginx's lists of upstream servers do
   */
  record Part(String before, Field field, Unit unit, boolean list) {
    boolean isQuoted() {
      return before.endsWith("\"");
    }
  }

  Layout {
    parts = List.copyOf(parts);
  }

  @Override
  public Optional<Request> read(String line) {
    Draft draft = new Draft();
    int at = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (!line.startsWith(part.before, at)) {
        return Optional.empty();
      }
      at += part.before.length();
      int end = end(line, at, part, i + 1 < parts.size() ? parts.get(i + 1).before : "");
      if (end < 0 || !draft.take(part.field, part.unit, line, at, end)) {
        return Optional.empty();
      }
      at = end;
    }
    return isOver(line, at) ? draft.request() : Optional.empty();
  }

  /** More fields may follow the last one, but not more of it. */
  private static boolean isOver(String line, int at) {
    int next = at < line.length() && line.charAt(at) == '"' ? at + 1 : at;
    return next == line.length() || line.charAt(next) == ' ';
  }

  private static int end(String line, int from, Part part, String after) {
    if (part.isQuoted()) {
      return closing(line, from);
    }
    if (after.isEmpty()) {
      int blank = line.indexOf(' ', from);
      return blank < 0 ? line.length() : blank;
    }
    int end = line.indexOf(after, from);
    while (part.list
        && end > from
        && (line.charAt(end - 1) == ','
            || line.charAt(end - 1) == ':'
            || line.startsWith(" : ", end))) {
      end = line.indexOf(after, end + 1);
    }
    return end;
  }

  /** A line that was cut off may lack the closing quote. */
  private static int closing(String line, int from) {
    for (int i = from; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        return i;
      }
      if (c == '\\') {
        i++;
      }
    }
    return line.length();
  }
}
