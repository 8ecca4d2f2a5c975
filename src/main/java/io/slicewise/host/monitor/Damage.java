package io.slicewise.host.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The damaged lines of a log: their number by kind, and the first few positions. Damaged lines are
 * never used and never dropped silently.
 */
public final class Damage {
  /** The kinds of damage to a line. */
  enum Kind {
    TRUNCATED("cut off at the end of the file"),
    NUL_BYTES("with NUL bytes"),
    HALF_CHARACTER("with an invalid character"),
    CUT_GZIP("after which the gzip is truncated or broken"),
    TOO_LONG("far too long"),
    WRONG_FIELDS("with the wrong number of fields"),
    NOT_A_NUMBER("with a field that is not a number"),
    ABSURD("with an impossible value"),
    BACKWARDS("going back in time"),
    REPEATED_HEADER("starting another recording"),
    HEADLESS("of a snapshot whose first line is lost"),
    WENT_BACK("of a snapshot before which counters went back: a restart, or a wrap");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private static final int SHOWN = 5;

  private record Tally(int count, List<Integer> firstLines) {}

  private final Map<Kind, Tally> tallies = new EnumMap<>(Kind.class);

  void add(Kind kind, int line) {
    Tally before = tallies.getOrDefault(kind, new Tally(0, List.of()));
    List<Integer> lines = new ArrayList<>(before.firstLines());
    if (lines.size() < SHOWN) {
      lines.add(line);
    }
    tallies.put(kind, new Tally(before.count() + 1, List.copyOf(lines)));
  }

  int count(Kind kind) {
    return tallies.containsKey(kind) ? tallies.get(kind).count() : 0;
  }

  int total() {
    return tallies.values().stream().mapToInt(Tally::count).sum();
  }

  /** Returns one sentence per kind, each with the log's name; empty if there is no damage. */
  public List<String> sentences(String log) {
    List<String> sentences = new ArrayList<>();
    tallies.forEach(
        (kind, tally) ->
            sentences.add(
                Phrase.of(
                    "%s: %s %s (first at %s) ignored",
                    log,
                    Plural.of(tally.count(), "line"),
                    kind.words,
                    String.join(", ", tally.firstLines().stream().map(String::valueOf).toList()))));
    return sentences;
  }
}
