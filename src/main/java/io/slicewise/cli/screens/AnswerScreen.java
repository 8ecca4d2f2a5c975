package io.slicewise.cli.screens;

import io.slicewise.base.units.Plural;
import io.slicewise.report.Digest;
import io.slicewise.report.Digest.Row;
import io.slicewise.report.Reports;
import io.slicewise.report.table.TextColumns;
import io.slicewise.run.journal.RunState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The end of one or more runs on one screen: the answers, the table that carries them, caveats, the
 * commands, and where everything else is. At most {@value #MOST} lines from {@value #WIDE} columns
 * on, {@value #MOST_NARROW} on narrower screens.
 */
public final class AnswerScreen {
  private static final int MOST = 25;
  private static final int MOST_NARROW = 30;
  private static final int WIDE = 100;
  private static final int MOST_COMMANDS = 3;
  private static final int MOST_CAVEATS = 3;
  private static final int LONGEST_RECEIPT = 90;

  /** What is shown where there is room, then less and less of it, until the screen holds it. */
  private static final List<Room> ROOMS =
      List.of(
          new Room(4, Integer.MAX_VALUE, MOST_CAVEATS, MOST_COMMANDS, true),
          new Room(4, Integer.MAX_VALUE, 2, MOST_COMMANDS, true),
          new Room(4, Integer.MAX_VALUE, 1, MOST_COMMANDS, true),
          new Room(4, Integer.MAX_VALUE, 1, MOST_COMMANDS, false),
          new Room(4, Integer.MAX_VALUE, 1, 1, false),
          new Room(1, Integer.MAX_VALUE, 1, 1, false),
          new Room(0, 6, 1, 1, false),
          new Room(0, 4, 1, 1, false),
          new Room(0, 3, 1, 1, false),
          new Room(0, 2, 1, 1, false),
          new Room(0, 1, 0, 1, false));

  private final List<RunEnd> ends;
  private final int width;

  /**
   * How much is shown.
   *
   * @param others the rows of the table that must fit besides those that carry the answers
   * @param pages whether each page is named, which the report prints too
   */
  private record Room(int others, int answers, int caveats, int commands, boolean pages) {}

  /**
   * A row of the table.
   *
   * @param rank 0 for the first of a part, which always stands, 1 for others that carry an answer
   */
  private record Ranked(Row row, int rank) {}

  private AnswerScreen(List<RunEnd> ends, int width) {
    this.ends = ends;
    this.width = width;
  }

  /**
   * Returns the lines for a terminal of a width.
   *
   * @param ends of the parts of a demonstration, in order; the commands are those of the last
   */
  public static List<String> lines(List<RunEnd> ends, int width) {
    return new AnswerScreen(ends, width).all();
  }

  private List<String> all() {
    return ROOMS.stream()
        .flatMap(room -> screen(room).stream())
        .findFirst()
        .orElseGet(() -> screen(ROOMS.get(ROOMS.size() - 1), count(rows(), 0)));
  }

  /** Returns the screen with as many rows as fit; empty if too few do. */
  private Optional<List<String>> screen(Room room) {
    List<Ranked> rows = rows();
    int fewest = Math.min(rows.size(), count(rows, 1) + room.others());
    return IntStream.iterate(rows.size(), shown -> shown >= fewest, shown -> shown - 1)
        .mapToObj(shown -> screen(room, shown))
        .filter(lines -> lines.size() <= (width < WIDE ? MOST_NARROW : MOST))
        .findFirst();
  }

  private List<String> screen(Room room, int rows) {
    List<String> answers = answers(room.answers());
    List<String> table = table(rows);
    List<String> lines = new ArrayList<>(answers);
    if (!table.isEmpty()) {
      lines.add("");
      lines.addAll(table);
    }
    if (!answers.isEmpty()) {
      lines.add("");
    }
    lines.addAll(rest(room));
    return List.copyOf(lines);
  }

  private List<Digest> digests() {
    return ends.stream()
        .flatMap(end -> end.written().map(Reports.Written::digest).stream())
        .toList();
  }

  private List<String> answers(int most) {
    LabelledLines lines = new LabelledLines(width);
    List<Digest> digests = digests();
    for (int i = 0; i < digests.size(); i++) {
      String part = ends.size() > 1 ? "part %d: ".formatted(i + 1) : "";
      List<String> answers = digests.get(i).answers();
      for (String answer : answers.subList(0, Math.min(most, answers.size()))) {
        lines.add(lines.all().isEmpty() ? "ANSWER" : "", part + answer);
      }
      if (answers.size() > most) {
        lines.add("", Plural.of(answers.size() - most, "more answer") + " in the report");
      }
    }
    return lines.all();
  }

  /** Returns the rows of all parts. */
  private List<Ranked> rows() {
    List<Ranked> rows = new ArrayList<>();
    for (Digest digest : digests()) {
      for (int i = 0; i < digest.rows().size(); i++) {
        rows.add(new Ranked(digest.rows().get(i), i == 0 ? 0 : i < digest.answering() ? 1 : 2));
      }
    }
    return rows;
  }

  private static int count(List<Ranked> rows, int rank) {
    return (int) rows.stream().filter(row -> row.rank() <= rank).count();
  }

  /** Returns the table with that many rows, those that carry an answer first to stay. */
  private List<String> table(int shown) {
    List<Ranked> rows = rows();
    if (rows.isEmpty()) {
      return List.of();
    }
    List<Row> kept =
        IntStream.range(0, rows.size())
            .boxed()
            .sorted(Comparator.comparingInt((Integer i) -> rows.get(i).rank()))
            .limit(shown)
            .sorted()
            .map(i -> rows.get(i).row())
            .toList();
    List<String> lines = new ArrayList<>(table(kept));
    if (shown < rows.size()) {
      lines.add("... %s in the report".formatted(Plural.of(rows.size() - shown, "more row")));
    }
    return lines;
  }

  private List<String> table(List<Row> rows) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(
        List.of("setting", "load", "metric", before(), "this", "change % (95 %)", "p", "verdict"));
    List<Function<Row, String>> columns =
        List.of(
            Row::setting,
            Row::load,
            Row::metric,
            Row::before,
            Row::now,
            Row::change,
            Row::p,
            Row::verdict);
    rows.forEach(row -> cells.add(columns.stream().map(column -> column.apply(row)).toList()));
    return TextColumns.lines(
        cells, List.of(true, true, true, false, false, false, false, true), width);
  }

  /** Returns the heading of the baselines of all parts. */
  private String before() {
    List<String> headings = digests().stream().map(Digest::before).distinct().toList();
    return headings.size() == 1 ? headings.get(0) : "baseline";
  }

  private List<String> rest(Room room) {
    LabelledLines lines = new LabelledLines(width);
    List<String> caveats =
        digests().stream().flatMap(digest -> digest.caveats().stream()).distinct().toList();
    caveats.stream().limit(room.caveats()).forEach(caveat -> lines.add("Caveat", caveat));
    if (caveats.size() > room.caveats()) {
      String more = room.caveats() == 0 ? "caveat" : "more caveat";
      lines.add(
          room.caveats() == 0 ? "Caveat" : "",
          Plural.of(caveats.size() - room.caveats(), more) + " in the report");
    }
    digests().stream()
        .map(Digest::commands)
        .reduce((first, last) -> last.apply().isEmpty() ? first : last)
        .ifPresent(
            commands -> {
              commands(lines, room, "Apply", commands.where(), commands.apply());
              commands(lines, room, "Undo", "", commands.undo());
            });
    digests().stream()
        .map(Digest::origin)
        .filter(origin -> !origin.isEmpty())
        .distinct()
        .forEach(origin -> lines.add("Origin", origin));
    host(lines);
    ends.forEach(end -> state(lines, end));
    ends.forEach(end -> report(lines, end, room.pages()));
    return lines.all();
  }

  private static void commands(
      LabelledLines lines, Room room, String label, String where, List<String> commands) {
    List<String> all =
        Stream.concat(Stream.of(where), commands.stream().limit(room.commands()))
            .filter(line -> !line.isEmpty())
            .toList();
    for (String line : commands.isEmpty() ? List.<String>of() : all) {
      lines.add(line.equals(all.get(0)) ? label : "", line);
    }
    if (commands.size() > room.commands()) {
      lines.add("", "%d more: slicewise recommend".formatted(commands.size() - room.commands()));
    }
  }

  private void host(LabelledLines lines) {
    ends.stream().map(AnswerScreen::receipt).distinct().forEach(text -> lines.add("Host", text));
  }

  /** Returns the receipt without the values if they are many and all restored. */
  private static String receipt(RunEnd end) {
    String receipt = end.receipt();
    return receipt.length() > LONGEST_RECEIPT && end.facts().settings().leftChanged().isEmpty()
        ? receipt.replaceFirst(": [^;]*", "")
        : receipt;
  }

  private static void state(LabelledLines lines, RunEnd end) {
    if (end.outcome().state() != RunState.DONE) {
      lines.add("State", end.outcome().sentence());
      lines.add("Next", NextStep.after(end.outcome().state(), end.run()));
    }
  }

  private static void report(LabelledLines lines, RunEnd end, boolean page) {
    end.written()
        .ifPresent(
            report -> {
              Digest digest = report.digest();
              if (page) {
                lines.add("Page", report.html().toString());
              }
              lines.add(
                  "More",
                  "slicewise report %s   (%s, %s)"
                      .formatted(
                          end.run().root(), digest.finished(), Plural.of(digest.notes(), "note")));
            });
  }
}
