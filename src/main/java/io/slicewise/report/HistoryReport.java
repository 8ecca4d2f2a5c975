package io.slicewise.report;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.runs.History;
import io.slicewise.evidence.runs.History.Night;
import io.slicewise.evidence.runs.History.Series;
import io.slicewise.evidence.runs.History.Shift;
import io.slicewise.experiment.load.Axis;
import io.slicewise.report.table.ChangeText;
import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.report.table.Markdown;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.report.table.Wrap;
import io.slicewise.run.Origin;
import io.slicewise.stats.ChangePoints;
import io.slicewise.stats.Verdict;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints a metric over nights as text, Markdown or CSV.
 *
 * @param newest the answers of the newest runs
 */
public record HistoryReport(History history, List<RunAnswer> newest) {
  private static final int NIGHTS_DRAWN = 60;
  private static final int MOST_NAMED = 2;

  /**
   * Returns lines of at most {@code width} columns.
   *
   * @param blocks whether to use block characters instead of digits
   */
  public List<String> text(int width, boolean blocks) {
    List<String> lines = new ArrayList<>(Wrap.lines(fullHeadline(), "", "  ", width));
    for (Series series : history.series()) {
      lines.add("");
      lines.addAll(Wrap.lines(name(series), "", "  ", width));
      lines.add("  " + Sparkline.of(values(series), Math.min(NIGHTS_DRAWN, width - 4), blocks));
      sentences(series).forEach(text -> lines.addAll(Wrap.lines(text, "  ", "    ", width)));
    }
    lines.add("");
    answers().forEach(text -> lines.addAll(Wrap.lines(text, "", "  ", width)));
    notes().forEach(note -> lines.addAll(Wrap.lines(note, "", "  ", width)));
    return lines;
  }

  /** Returns a Markdown summary for a merge request or a mail. */
  public String markdown() {
    Table table =
        TableBuilder.of(history.series())
            .name("profile", Series::profile)
            .figure(
                TableBuilder.heading(Axis.of(history.series().stream().map(Series::load))),
                series -> series.load().toString())
            .count("runs", series -> series.nights().size())
            .figure("newest", series -> ChangeText.value(history.metric(), series.newest().value()))
            .name("changes", series -> String.join("; ", sentences(series)))
            .table("history", "");
    StringBuilder text = new StringBuilder("**" + Markdown.escape(fullHeadline()) + "**\n\n");
    text.append(Markdown.table(table));
    text.append('\n');
    return text.append(Markdown.list(answers())).append(Markdown.list(notes())).toString();
  }

  /** Returns the answers of the newest runs, and what limits them. */
  List<String> answers() {
    return newest.stream().flatMap(answer -> answer.sentences().stream()).toList();
  }

  /**
   * Returns one CSV line per night (RFC 4180); the shift columns are filled on the first night
   * after a shift. Series are numbered from 1, since two may have the same profile and load.
   */
  public String csv() {
    List<Line> lines = new ArrayList<>();
    int number = 0;
    for (Series series : history.series()) {
      number++;
      for (int i = 0; i < series.nights().size(); i++) {
        lines.add(new Line(number, series, i));
      }
    }
    return CsvTable.text(
        TableBuilder.of(lines)
            .name("experiment", line -> line.series().experiment())
            .name("host", line -> line.series().host().name())
            .name("origin", line -> line.series().origin().word())
            .name("profile", line -> line.series().profile())
            .load(
                Axis.of(history.series().stream().map(Series::load)), line -> line.series().load())
            .name("metric", line -> history.metric().key())
            .name("run", line -> line.night().run())
            .name("begun", line -> line.night().begun().truncatedTo(ChronoUnit.SECONDS).toString())
            .value("value", line -> line.night().value())
            .value("low", line -> line.night().low())
            .value("high", line -> line.night().high())
            .count("n", line -> line.night().n())
            .value("shift_percent", line -> line.shift().map(Shift::percent).orElse(Double.NaN))
            .value("shift_p", line -> line.shift().map(Shift::p).orElse(Double.NaN))
            .name(
                "shift_verdict",
                line -> line.shift().map(shift -> EnumName.of(shift.verdict())).orElse(""))
            .name(
                "shift_fresh",
                line -> line.shift().map(shift -> String.valueOf(shift.fresh())).orElse(""))
            .count("series", Line::number)
            .table("history", ""));
  }

  /** A night of a series, by its place in it. */
  private record Line(int number, Series series, int index) {
    Night night() {
      return series.nights().get(index);
    }

    /** Returns the shift that begins with this night. */
    Optional<Shift> shift() {
      return series.shifts().stream().filter(shift -> shift.index() == index).findFirst();
    }
  }

  /** Returns the answer with the first two series that it is about. */
  private String fullHeadline() {
    return answer(true);
  }

  /** Returns the answer: a new change, none, or none but an earlier one that persists. */
  String headline() {
    return answer(false);
  }

  private String answer(boolean cells) {
    String metric = history.metric().key();
    if (history.series().isEmpty()) {
      return "NO VALID DATA: no run has the selected cells";
    }
    if (history.series().stream().allMatch(series -> series.nights().size() < 2)) {
      return "TOO FEW RUNS for a change of %s: each series has one".formatted(metric);
    }
    for (Verdict verdict : List.of(Verdict.WORSE, Verdict.BETTER)) {
      if (history.anyFresh(verdict)) {
        return "%s: a new change of %s: %s"
            .formatted(ChangeText.verdict(verdict), metric, some(fresh(verdict), cells));
      }
    }
    List<Named> standing =
        Stream.of(Verdict.WORSE, Verdict.BETTER).flatMap(this::standing).toList();
    return "NO NEW CHANGE of "
        + metric
        + (standing.isEmpty() ? "" : ", still " + some(standing, cells));
  }

  /** A change of a series: {@code 15.1 % worse since night-13} of {@code w256, 300 users}. */
  private record Named(String change, String cell) {}

  private List<Named> fresh(Verdict verdict) {
    return history.series().stream()
        .flatMap(
            series ->
                series.shifts().stream()
                    .filter(shift -> shift.fresh() && shift.verdict() == verdict)
                    .map(
                        shift ->
                            new Named(
                                "%s since %s"
                                    .formatted(ChangeText.percent(shift.percent()), shift.since()),
                                cell(series))))
        .toList();
  }

  /** Returns the earlier changes for that verdict that persist. */
  private Stream<Named> standing(Verdict verdict) {
    return history.series().stream()
        .flatMap(
            series ->
                series.standing().stream()
                    .filter(standing -> standing.verdict() == verdict)
                    .map(
                        standing ->
                            new Named(
                                Phrase.of(
                                    "%.1f %% %s since %s",
                                    Math.abs(standing.percent()),
                                    verdict == Verdict.WORSE ? "worse" : "better",
                                    standing.since()),
                                cell(series))));
  }

  /** Returns the first changes, with their cells or as short as one line needs, and the rest. */
  private static String some(List<Named> changes, boolean cells) {
    int most = cells ? MOST_NAMED : 1;
    String shown =
        changes.stream()
            .limit(most)
            .map(one -> cells ? "%s (%s)".formatted(one.change(), one.cell()) : one.change())
            .collect(Collectors.joining("; "));
    return changes.size() > most
        ? "%s%s %d more".formatted(shown, cells ? "; and" : ", and", changes.size() - most)
        : shown;
  }

  private static String cell(Series series) {
    return series.profile() + ", " + series.load().text();
  }

  /** Returns the experiment, profile, load and host of a series, or that it was simulated. */
  static String name(Series series) {
    int number = series.nights().size();
    return series.isSimulated()
        ? "%s: %s   %s; %s"
            .formatted(
                series.experiment(),
                cell(series),
                Plural.of(number, "simulated run"),
                series.host().name())
        : "%s: %s   %s on %s, %s%s"
            .formatted(
                series.experiment(),
                cell(series),
                Plural.of(number, series.unit()),
                series.host().name(),
                series.host().hypervisor(),
                series.origin() == Origin.Kind.HOST ? "" : ", " + series.origin().word());
  }

  private static double[] values(Series series) {
    return series.nights().stream().mapToDouble(Night::value).toArray();
  }

  /** Returns the newest value of a series and its changes. */
  List<String> sentences(Series series) {
    List<String> sentences = new ArrayList<>();
    if (!series.apart().isEmpty()) {
      sentences.add(
          "differs from the earlier series of the same name: " + String.join("; ", series.apart()));
    }
    sentences.add(
        "newest %s (%s, %s%s)"
            .formatted(
                ChangeText.value(history.metric(), series.newest().value()),
                series.newest().run(),
                Plural.of(series.newest().n(), "trial"),
                series.newest().confirmation() ? " of its confirmation" : ""));
    if (series.nights().size() < ChangePoints.FEWEST) {
      sentences.add(
          "fewer than %d %s: too few to detect a change"
              .formatted(ChangePoints.FEWEST, series.unit() + "s"));
    } else if (series.shifts().isEmpty()) {
      sentences.add("no change detected");
    }
    series.shifts().forEach(shift -> sentences.add(sentence(series, shift)));
    return sentences;
  }

  private String sentence(Series series, Shift shift) {
    return "%s%s since %s (%s %s of %s): %s -> %s, %s, p %s"
        .formatted(
            shift.fresh() ? "NEW  " : "",
            ChangeText.verdict(shift.verdict()),
            shift.since(),
            series.unit(),
            shift.index() + 1,
            series.nights().size(),
            ChangeText.value(history.metric(), shift.before()),
            ChangeText.value(history.metric(), shift.after()),
            ChangeText.percent(shift.percent()),
            ChangeText.p(shift.p()));
  }

  /** Returns the method and the runs that were left out. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    notes.add(
        Phrase.of(
            "E-divisive on logarithms, level %s %%, at least %d runs on each side, band +-%s %%;"
                + " NEW = not shown by an earlier run",
            NumberText.plain(100 * history.level()),
            ChangePoints.SEGMENT,
            NumberText.plain(100 * history.band().delta())));
    if (history.series().size() > 1) {
      notes.add(
          ("each of the %s series is tested at this level; a series contains runs with the"
                  + " same host, conditions and settings")
              .formatted(history.series().size()));
    }
    if (history.series().stream()
        .anyMatch(series -> series.nights().stream().anyMatch(Night::confirmation))) {
      notes.add(
          "values of a tune's choice, and of the baseline at its loads, are of the confirmation"
              + " alone; those of other candidates are of the race that chose between them");
    }
    if (history.series().stream().anyMatch(Series::isSimulated)) {
      notes.add(
          "simulated runs were computed, not measured: a change comes from the model, the profiles"
              + " or the seed, never from a host");
    }
    history.left().forEach(reason -> notes.add("left out: " + reason));
    return notes;
  }

  /** Draws numbers as a line of characters of matching height; the newest is last. */
  static final class Sparkline {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String DIGITS = "0123456789";

    private Sparkline() {}

    /**
     * Returns the last values.
     *
     * @param blocks whether to use block characters instead of digits
     */
    static String of(double[] values, int most, boolean blocks) {
      String levels = blocks ? BLOCKS : DIGITS;
      double[] shown = Arrays.copyOfRange(values, Math.max(0, values.length - most), values.length);
      double low = Arrays.stream(shown).min().orElse(0);
      double high = Arrays.stream(shown).max().orElse(0);
      StringBuilder line = new StringBuilder();
      for (double value : shown) {
        // Equal values are drawn in the middle.
        double share = high > low ? (value - low) / (high - low) : 0.5;
        line.append(levels.charAt((int) Math.min(levels.length() - 1, share * levels.length())));
      }
      return line.toString();
    }
  }
}
