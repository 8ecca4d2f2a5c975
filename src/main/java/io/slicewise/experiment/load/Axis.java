package io.slicewise.experiment.load;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An axis of load: what can differ between the loads of an experiment, in the order in which loads
 * are written and sorted. Everything that shows, selects or stores loads iterates over the axes, so
 * a further one is described here.
 */
public enum Axis {
  /** Concurrent users; 0 if nothing is loaded. */
  USERS("users", "users", "u", "user", "users", "", "") {
    @Override
    public Optional<Option> option() {
      return Optional.of(
          Option.needed(
              key(),
              new OptionKind.Levels(1, Load.MOST_USERS),
              "concurrent users: one load or several"));
    }
  },

  /** Arrivals per second of an open load: they do not wait for the answers of earlier ones. */
  RATE("rate", "arrivals per second", "a", "arrival/s", "arrivals/s", "", "") {
    @Override
    public Optional<Option> option() {
      return Optional.of(
          Option.needed(
              key(),
              new OptionKind.Levels(new OptionKind.Positive()),
              "arrivals per second, at random, instead of users: one load or several"));
    }

    @Override
    public int decimals() {
      return 1;
    }

    @Override
    public Map<String, String> properties(Level level) {
      return Map.of("slicewise." + key(), level.text());
    }
  },

  /** Percent of the users or of the rate that each tile has of its own. */
  SCALE("scale", "percent of each tile's load", "l", "% load", "% load", "", "") {
    @Override
    public Optional<Option> option() {
      return Optional.of(
          Option.optional(
              key(),
              new OptionKind.Levels(1, MOST_SCALE),
              "percent of the users or the rate of each tile: one load or several; default: 100"));
    }
  },

  /** Guests that are loaded, each by its own users; the others are idle. */
  GUESTS("guests", "loaded guests", "g", "guest", "guests", " on ", " on ") {
    @Override
    public Optional<Option> option() {
      return Optional.of(
          Option.optional(
              key(),
              new GuestsKind(),
              "how many of the workload's guests are loaded, each by its own users, the first ones"
                  + " as listed; the others must be idle; default: all"));
    }

    @Override
    public boolean drives() {
      return false;
    }

    @Override
    Workload under(Workload workload, Level level) {
      return workload.on((int) level.number());
    }
  },

  /** Interfering guests. */
  NEIGHBOURS(
      "neighbours", "interfering neighbours", "i", "neighbour", "neighbours", " with ", " + ") {
    @Override
    Workload under(Workload workload, Level level) {
      return workload.beside((int) level.number());
    }
  },

  /** The only part of the workload in a trial, such as a query. */
  PART("part", "parts of the workload", "", "", "", " with ", " with ") {
    @Override
    Workload under(Workload workload, Level level) {
      return workload.only(level.text());
    }
  };

  private static final long MOST_SCALE = 1000;

  private final String key;
  private final String about;
  private final String mark;
  private final String one;
  private final String many;
  private final String link;
  private final String shortLink;

  /**
   * @param about what its levels are, or count
   * @param mark before a level in file names
   * @param one its unit in a sentence; empty for names
   * @param many the same in the plural
   * @param link before it in a sentence, after other axes
   * @param shortLink before it in a list or column, after other axes
   */
  Axis(
      String key,
      String about,
      String mark,
      String one,
      String many,
      String link,
      String shortLink) {
    this.key = key;
    this.about = about;
    this.mark = mark;
    this.one = one;
    this.many = many;
    this.link = link;
    this.shortLink = shortLink;
  }

  /** Returns its name in files, columns, labels, filters and options. */
  public String key() {
    return key;
  }

  /** Returns what its levels are, or count. */
  public String about() {
    return about;
  }

  /** Returns whether its levels are numbers, not names. */
  public boolean isNumeric() {
    return !one.isEmpty();
  }

  /** Returns whether it says how much load there is, so that curves are drawn over it. */
  public boolean drives() {
    return option().isPresent();
  }

  /** Returns the key of the experiment with its levels, if it has one of its own. */
  public Optional<Option> option() {
    return Optional.empty();
  }

  /** Returns the axes that can drive a load; an experiment has one of them. */
  public static List<Axis> drivers() {
    return Arrays.stream(values()).filter(Axis::drives).toList();
  }

  /** Returns the decimals that a number computed between two levels has. */
  public int decimals() {
    return 0;
  }

  /** Returns the unit of several: {@code users}. */
  public String unit() {
    return many;
  }

  /** Returns a level as part of a sentence: {@code 25 users}, {@code q06}. */
  public String text(Level level) {
    return isNumeric() ? text(level.text()) : level.text();
  }

  /** Returns a number as part of a sentence. */
  public String text(String number) {
    return number + " " + (number.equals("1") ? one : many);
  }

  /** Returns several levels as part of a sentence: {@code 25, 50 users}. */
  public String text(List<Level> levels) {
    return levels.size() == 1 ? text(levels.get(0)) : list(levels) + " " + many;
  }

  /** Returns the levels alone: {@code 25, 50}. */
  public static String list(List<Level> levels) {
    return levels.stream().map(Level::text).collect(Collectors.joining(", "));
  }

  /** Returns what stands between another axis and this one in a sentence: {@code " with "}. */
  public String link() {
    return link;
  }

  String shortLink() {
    return shortLink;
  }

  /** Returns a level in file names: {@code u25}. */
  String mark(Level level) {
    return mark + level.text();
  }

  /** Returns the properties by which a generator takes a level. */
  public Map<String, String> properties(Level level) {
    return Map.of();
  }

  /** Returns the workload at a level. */
  Workload under(Workload workload, Level level) {
    return workload;
  }

  /** Returns the axes that some of these loads have. */
  public static List<Axis> of(Stream<Load> loads) {
    List<Load> all = loads.toList();
    return Arrays.stream(values())
        .filter(axis -> all.stream().anyMatch(load -> load.level(axis).isPresent()))
        .toList();
  }

  /** Returns the levels of an axis in these loads, in their order, each once. */
  public List<Level> levels(List<Load> loads) {
    return loads.stream().flatMap(load -> load.level(this).stream()).distinct().toList();
  }

  /** Numbers of guests: one, several, or all of a range such as {@code 1..8}. */
  private record GuestsKind() implements OptionKind {
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
}
