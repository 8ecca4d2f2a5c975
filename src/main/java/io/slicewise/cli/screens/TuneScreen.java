package io.slicewise.cli.screens;

import io.slicewise.base.units.Phrase;
import io.slicewise.report.Advice;
import io.slicewise.report.TuneReport;
import io.slicewise.report.TuneReport.RaceReport;
import io.slicewise.run.LoadedRun;
import io.slicewise.tune.course.RaceCourse;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the answer of a tune and how it came about. */
public final class TuneScreen {
  private final TuneReport report;
  private final Advice advice;
  private final LoadedRun run;
  private final boolean lab;
  private final LabelledLines lines = new LabelledLines(Terminal.tableWidth());

  private TuneScreen(TuneReport report, Advice advice, LoadedRun run) {
    this.report = report;
    this.advice = advice;
    this.run = run;
    this.lab = run.experiment().lab().isPresent();
  }

  /** Returns the lines of a run's report. */
  public static List<String> lines(TuneReport report, Advice advice, LoadedRun run) {
    return new TuneScreen(report, advice, run).all();
  }

  private List<String> all() {
    report.races().forEach(this::race);
    advice.answer().caveats().forEach(caveat -> lines.add("But", caveat));
    advice.answer().wouldChange().forEach(text -> lines.add("Surer by", text));
    if (lab) {
      byHand();
    }
    lines.add(
        "Tune",
        Phrase.of(
            "%s; %d candidates, %d measured; %s",
            report.question(),
            report.candidates(),
            measured(),
            report.cost().text("every candidate")));
    lines.add("", report.premises());
    report.leftOut().forEach(reason -> lines.add("Left out", reason));
    return lines.all();
  }

  private long measured() {
    return report.races().stream()
        .flatMap(race -> race.surface().points().stream())
        .filter(point -> point.observations() > 0)
        .map(TuneReport.Point::name)
        .distinct()
        .count();
  }

  private void race(RaceReport race) {
    lines.add("ANSWER", race.claim().sentence());
    race.settings()
        .forEach((name, settings) -> lines.add("", name + ": " + TuneReport.text(settings)));
    race.limits().forEach(limit -> lines.add("Limit", limit));
    if (!race.missing().isEmpty()) {
      lines.add("Missing", race.missing());
    }
    Map<String, List<RaceCourse.Left>> byReason =
        race.course().departures().stream().collect(Collectors.groupingBy(RaceCourse.Left::reason));
    byReason.forEach(
        (reason, left) ->
            lines.add(
                "Left",
                left.stream()
                        .map(one -> one.name() + " after block " + one.block())
                        .collect(Collectors.joining(", "))
                    + ": "
                    + reason));
    if (!race.surface().agreement().isEmpty()) {
      lines.add("Model", race.surface().agreement());
    }
    if (race.confirmed() && !lab) {
      lines.add(
          "Apply", "slicewise apply %s --profile %s".formatted(run.root(), race.result().choice()));
      lines.add(
          "Undo",
          "slicewise restore %s"
              .formatted(run.root().resolve("applied").resolve(race.result().choice() + "-*")));
    }
  }

  /** Adds the commands for a host like the lab, which ended with its run. */
  private void byHand() {
    String label = "";
    for (Advice.Line line : advice.lines()) {
      label = line.label().isEmpty() ? label : line.label();
      if (label.equals("Apply") || label.equals("Undo")) {
        lines.add(line.label(), line.text());
      }
    }
  }
}
