package io.slicewise.experiment.load;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Numbers of guests: one, several, or all of a range such as {@code 1..8}. */
record GuestsKind() implements OptionKind {
  static final int MOST_GUESTS = 64;
  private static final String RANGE = "^[1-9][0-9]?\\.\\.[1-9][0-9]?$";
  private static final Pattern ENDS = Pattern.compile("([0-9]+)\\.\\.([0-9]+)");
  private static final Levels LEVELS = new Levels(1, MOST_GUESTS);

  @Override
  public Map<String, Object> schema() {
    List<Object> forms = new ArrayList<>((List<?>) LEVELS.schema().get("anyOf"));
    forms.add(OptionKind.ordered("type", "string", "pattern", RANGE));
    return Map.of("anyOf", forms);
  }

  @Override
  public String example() {
    return "1..8";
  }

  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    return value.plain() instanceof String
        ? value.parsed(GuestsKind::range).map(numbers -> numbers)
        : LEVELS.read(value, file);
  }

  private static List<Long> range(String text) {
    Matcher ends = ENDS.matcher(text);
    if (!text.matches(RANGE) || !ends.matches()) {
      throw new IllegalArgumentException(
          "is not a number of guests, a list of numbers, or a range such as 1..8");
    }
    long first = Long.parseLong(ends.group(1));
    long last = Long.parseLong(ends.group(2));
    if (first > last || last > MOST_GUESTS) {
      throw new IllegalArgumentException(
          "must begin below its end, which is at most " + MOST_GUESTS);
    }
    return LongStream.rangeClosed(first, last).boxed().toList();
  }
}
