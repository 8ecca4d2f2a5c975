package io.slicewise.load.access;

import io.slicewise.base.units.EnumName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lines that a regular expression matches, with fields in named groups. */
record PatternFormat(Pattern pattern, Map<Field, Unit> fields, long resolutionMicros)
    implements LineFormat {
  /** A pattern may take long on a line that is not of its format; no request's line is longer. */
  private static final int LONGEST = 8192;

  /**
   * @param text whose named groups are fields
   * @throws IllegalArgumentException if a needed one is missing
   */
  static PatternFormat of(String text, Unit unit, long resolution) {
    Pattern pattern = Pattern.compile(text);
    Map<Field, Unit> fields = new LinkedHashMap<>();
    for (Field field : Field.NAMED) {
      if (text.contains("(?<" + EnumName.of(field) + ">")) {
        fields.put(
            field,
            switch (field) {
              case START, END -> Unit.STAMP;
              case DURATION, UPSTREAM -> unit;
              default -> Unit.MICROS;
            });
      }
    }
    return new PatternFormat(pattern, fields, resolution);
  }

  @Override
  public Optional<Request> read(String line) {
    if (line.length() > LONGEST) {
      return Optional.empty();
    }
    Matcher found = pattern.matcher(line);
    if (!found.find()) {
      return Optional.empty();
    }
    Draft draft = new Draft();
    for (Map.Entry<Field, Unit> field : fields.entrySet()) {
      String name = EnumName.of(field.getKey());
      int from = found.start(name);
      if (from >= 0 && !draft.take(field.getKey(), field.getValue(), line, from, found.end(name))) {
        return Optional.empty();
      }
    }
    return draft.request();
  }
}
