package io.slicewise.report.page;

import io.slicewise.base.units.EnumName;
import io.slicewise.evidence.analysis.History;
import io.slicewise.evidence.analysis.History.Night;
import io.slicewise.evidence.analysis.History.Series;
import io.slicewise.report.page.AnswerTable.Column;
import io.slicewise.stats.ChangePoints;
import io.slicewise.stats.Verdict;
import java.util.Comparator;
import java.util.List;

/** The table of a history's first screen: a row per series, those that are worse first. */
final class SeriesTable {
  private static final int MOST_ROWS = 8;

  private SeriesTable() {}

  static void append(Html page, History history) {
    List<Series> series =
        history.series().stream()
            .sorted(Comparator.comparingInt(SeriesTable::order).thenComparing(SeriesTable::last))
            .toList();
    String unit = history.metric().unit();
    new AnswerTable(
            "Newest value and change of each series",
            List.of(
                Column.name("profile"),
                Column.name("load"),
                Column.figure("runs"),
                Column.figure("newest %s, %s (95 %% CI)".formatted(history.metric().key(), unit)),
                Column.figure("change"),
                Column.name("since"),
                Column.verdict("verdict")),
            series.stream().limit(MOST_ROWS).map(SeriesTable::row).toList())
        .append(page);
    if (series.size() > MOST_ROWS) {
      page.element("p", (series.size() - MOST_ROWS) + " more series are drawn below.");
    }
  }

  private static int order(Series series) {
    return series.standing().map(standing -> standing.verdict() == Verdict.WORSE ? 0 : 1).orElse(2);
  }

  /** Orders series by the end of their runs, the newest first. */
  private static long last(Series series) {
    return -series.newest().begun().getEpochSecond();
  }

  private static List<String> row(Series series) {
    Night newest = series.newest();
    boolean fresh = series.shifts().stream().anyMatch(History.Shift::fresh);
    String quiet =
        series.nights().size() < ChangePoints.FEWEST
            ? "fewer than " + ChangePoints.FEWEST
            : "no change";
    return List.of(
        series.profile(),
        series.load().text(),
        String.valueOf(series.nights().size()),
        "%s [%s, %s]"
            .formatted(
                Phrases.number(newest.value()),
                Phrases.number(newest.low()),
                Phrases.number(newest.high())),
        series.standing().map(one -> Phrases.signed(one.percent()) + " %").orElse("–"),
        series.standing().map(History.Standing::since).orElse("–"),
        series
            .standing()
            .map(one -> (fresh ? "new: " : "still ") + EnumName.of(one.verdict()))
            .orElse(quiet));
  }
}
