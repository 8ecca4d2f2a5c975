package io.slicewise.base.yaml;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kind of option whose text is a number with its unit. */
public interface Quantity extends OptionKind {
  /** A time with its unit, both ends of the range included. */
  record Time(Duration least, Duration most) implements OptionKind {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    public static final Time ANY = from(Duration.ZERO);

    /** A time of at least that length. */
    public static Time from(Duration least) {
      return new Time(least, FOREVER);
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("$ref", "#/definitions/duration");
    }

    @Override
    public String example() {
      return "10m";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.parsed(
          text -> {
            Duration time = DurationText.parse(text);
            if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
              throw new IllegalArgumentException(
                  most.equals(FOREVER)
                      ? "must be at least " + DurationText.of(least)
                      : "must be from %s to %s"
                          .formatted(DurationText.of(least), DurationText.of(most)));
            }
            return DurationText.of(time);
          });
    }
  }

  /** A time with its unit, or a word in its place. */
  record TimeOr(String word) implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return Map.of(
          "anyOf", List.of(Map.of("const", word), Map.of("$ref", "#/definitions/duration")));
    }

    @Override
    public String example() {
      return word;
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.parsed(
          text -> text.equals(word) ? word : DurationText.of(DurationText.parse(text)));
    }
  }

  /** A percentage with its sign, 0% to 100%. */
  record Percentage() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return Map.of("$ref", "#/definitions/percent");
    }

    @Override
    public String example() {
      return "5%";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.parsed(text -> PercentText.of(PercentText.parse(text)));
    }
  }
}
