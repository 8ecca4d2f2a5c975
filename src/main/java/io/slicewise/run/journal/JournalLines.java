package io.slicewise.run.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The verified lines of a journal, in the order in which they were written.
 *
 * <p>Each line carries its number, the checksum of the line before it and its own. A line with a
 * wrong checksum is not used; a repeated line counts once; lines out of order are sorted; a number
 * without a line is missing.
 *
 * @param events the events of the valid lines
 * @param last number of the last line; 0 if there is none
 * @param sum of the last line
 */
public record JournalLines(
    List<JournalEvent> events, int last, String sum, List<RunDamage> damages) {
  private static final String NAME = "journal.jsonl";
  private static final String ALTERED = "altered";
  private static final Pattern CHAIN =
      Pattern.compile(
          ".*,\"line\":(\\d{1,9}),\"after\":\"([0-9a-f]{16})\",\"sum\":\"([0-9a-f]{16})\"}");

  /** A valid line. */
  private record Line(int place, int number, String after, String sum, JournalEvent event) {}

  /** Returns the text of an event's line, without its newline. */
  public static String text(JournalEvent event, int number, String after)
      throws JsonProcessingException {
    String object = SweepJson.MAPPER.writeValueAsString(event);
    return Seal.line(
        "%s,\"line\":%d,\"after\":\"%s\"}"
            .formatted(object.substring(0, object.length() - 1), number, after));
  }

  /** Returns the length of the complete lines; a killed process may leave an incomplete one. */
  public static int wholeLines(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  public static JournalLines of(byte[] bytes) {
    String text = new String(bytes, 0, wholeLines(bytes), StandardCharsets.UTF_8);
    return new Reader(text.isEmpty() ? List.of() : List.of(text.split("\n"))).read();
  }

  private static final class Reader {
    private final List<String> lines;
    private final List<RunDamage> damages = new ArrayList<>();
    private final Map<Integer, Line> sound = new LinkedHashMap<>();
    private final Map<Integer, String> unused = new LinkedHashMap<>();

    Reader(List<String> lines) {
      this.lines = lines;
    }

    JournalLines read() {
      for (int place = 1; place <= lines.size(); place++) {
        take(place, lines.get(place - 1));
      }
      List<Line> inOrder =
          sound.values().stream().sorted(Comparator.comparingInt(Line::number)).toList();
      unused.forEach(
          (place, why) -> damage(RunDamage.Kind.JOURNAL_ALTERED, place, why + "; not used"));
      chain(inOrder);
      Optional<Line> last = inOrder.stream().reduce((earlier, later) -> later);
      return new JournalLines(
          inOrder.stream().map(Line::event).toList(),
          last.map(Line::number).orElse(0),
          last.map(Line::sum).orElse(Seal.NONE),
          List.copyOf(damages));
    }

    private void take(int place, String text) {
      Matcher chain = CHAIN.matcher(text);
      if (!chain.matches() || Seal.verify(text).isEmpty()) {
        unused.put(place, ALTERED);
        return;
      }
      Optional<JournalEvent> event = parse(text);
      if (event.isEmpty()) {
        unused.put(place, "as it was written, but by a version that this one cannot read");
        return;
      }
      int number = Integer.parseInt(chain.group(1));
      Line line = new Line(place, number, chain.group(2), chain.group(3), event.get());
      Line other = sound.putIfAbsent(number, line);
      if (other != null && other.sum().equals(line.sum())) {
        damage(
            RunDamage.Kind.JOURNAL_REPEATED,
            place,
            "repeats line %d; counted once".formatted(other.place()));
      } else if (other != null) {
        unused.put(place, ALTERED);
      }
    }

    private static Optional<JournalEvent> parse(String text) {
      try {
        return Optional.ofNullable(SweepJson.MAPPER.readValue(text, JournalEvent.class));
      } catch (JsonProcessingException e) {
        return Optional.empty();
      }
    }

    private void chain(List<Line> inOrder) {
      int missing = 0;
      String gaps = "";
      Line previous = null;
      int highest = 0;
      for (Line line : inOrder) {
        int expected = previous == null ? 1 : previous.number() + 1;
        if (line.number() > expected) {
          missing += line.number() - expected;
          gaps += (gaps.isEmpty() ? "" : ", ") + range(expected, line.number() - 1);
        } else if (previous != null && !line.after().equals(previous.sum())) {
          damage(
              RunDamage.Kind.JOURNAL_ALTERED,
              line.place(),
              "does not follow the line before it; one of them is of another journal");
        }
        if (line.place() < highest) {
          damage(RunDamage.Kind.JOURNAL_ORDER, line.place(), "out of order; used in its order");
        }
        highest = Math.max(highest, line.place());
        previous = line;
      }
      if (missing > unused.size()) {
        damages.add(
            new RunDamage(
                RunDamage.Kind.JOURNAL_LINES_MISSING,
                NAME,
                "%d of its lines are missing or altered: %s".formatted(missing, gaps)));
      }
    }

    private static String range(int from, int to) {
      return from == to ? String.valueOf(from) : from + "–" + to;
    }

    private void damage(RunDamage.Kind kind, int place, String what) {
      damages.add(new RunDamage(kind, NAME + ":" + place, what));
    }
  }
}
