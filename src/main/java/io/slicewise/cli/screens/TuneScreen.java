package io.slicewise.cli.screens;

import io.slicewise.base.units.Phrase;
import io.slicewise.report.TuneReport;
import io.slicewise.report.TuneReport.RaceReport;
import io.slicewise.tune.course.RaceCourse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the answer of a tune and how it came about. */
public final class TuneScreen {
  private final TuneReport report;
  private final Path run;
  private final LabelledLines lines = new LabelledLines(Terminal.tableWidth());

  private TuneScreen(TuneReport report, Path run) {
    this.report = report;
    this.run = run;
  }

  /**
   * Returns the lines of a report.
   *
   * @param run its directory
   */
  public static List<String> lines(TuneReport report, Path run) {
    return new TuneScreen(report, run).all();
  }

  private List<String> all() {
    lines.add("", "");
    report.races().forEach(this::race);
    lines.add(
        "Tune",
        Phrase.of(
            "%s; %d candidates, %d measured; %d %ss in %s; every candidate would have taken %s",
            report.question(),
            report.candidates(),
            measured(),
            report.trials(),
            report.unit(),
            TuneReport.hours(report.seconds()),
            TuneReport.hours(report.gridSeconds())));
    lines.add("", report.premises());
    report.leftOut().forEach(reason -> lines.add("Left out", reason));
    return lines.all();
  }

  private long measured() {
    return report.races().stream()
        .flatMap(race -> race.points().stream())
        .filter(point -> point.observations() > 0)
        .map(TuneReport.Point::name)
        .distinct()
        .count();
  }

  private void race(RaceReport race) {
    lines.add("ANSWER", race.sentence());
    race.settings()
        .forEach((name, settings) -> lines.add("", name + ": " + TuneReport.text(settings)));
    race.limits().forEach(limit -> lines.add("Limit", limit));
    if (!race.missing().isEmpty()) {
      lines.add("Missing", race.missing());
    }
    Map<String, List<RaceCourse.Left>> byReason =
        race.departures().stream().collect(Collectors.groupingBy(RaceCourse.Left::reason));
    byReason.forEach(
        (reason, left) ->
            lines.add(
                "Left",
                left.stream()
                        .map(one -> one.name() + " after block " + one.block())
                        .collect(Collectors.joining(", "))
                    + ": "
                    + reason));
    if (!race.agreement().isEmpty()) {
      lines.add("Model", race.agreement());
    }
    if (race.confirmed()) {
      lines.add("Apply", "slicewise apply %s --profile %s".formatted(run, race.choice()));
      lines.add(
          "Undo",
          "slicewise restore %s".formatted(run.resolve("applied").resolve(race.choice() + "-*")));
    }
  }
}
