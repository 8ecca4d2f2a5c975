package io.slicewise.report;

import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.runs.History;
import io.slicewise.report.page.Page;
import io.slicewise.report.page.PageInput.PageAdvice.Part;
import io.slicewise.report.page.PlainInput;
import io.slicewise.report.table.HtmlTables;
import io.slicewise.run.Origin;
import java.util.ArrayList;
import java.util.List;

/** Writes a metric over many runs as a page. */
public final class HistoryPage {
  private HistoryPage() {}

  /**
   * Returns the page as one file.
   *
   * @param answers of the newest runs
   * @param runs behind the history
   */
  public static String html(History history, List<RunAnswer> answers, List<MeasuredRun> runs) {
    HistoryReport report = new HistoryReport(history, answers);
    Origin origin = origin(runs);
    List<String> changes = new ArrayList<>();
    for (History.Series series : history.series()) {
      for (String text : report.sentences(series)) {
        changes.add("%s, %s: %s".formatted(series.profile(), series.load().text(), text));
      }
    }
    return Page.of(
        new PlainInput(
            "%s over %d runs".formatted(history.metric().key(), runs.size()),
            String.join(" · ", runs.stream().map(MeasuredRun::experiment).distinct().toList()),
            origin,
            report.headline(),
            List.of(),
            List.of(
                new Part("Runs", List.of("%d, %s".formatted(runs.size(), origin.kind().word()))),
                new Part("Answer", report.answers()),
                new Part("Left out", history.left().stream().limit(2).toList()),
                new Part(
                    "Holds for",
                    history.series().stream()
                        .map(series -> series.host().name())
                        .distinct()
                        .limit(3)
                        .toList())),
            List.of(new Part("Changes", changes), new Part("Method", report.notes())),
            List.of(),
            new HtmlTables(origin).of(RunsTable.of(runs))),
        history);
  }

  /** Returns the origin of all runs: of the newest one, but simulated if any run is. */
  static Origin origin(List<MeasuredRun> runs) {
    List<Origin> origins = runs.stream().map(run -> run.place().origin()).toList();
    return origins.stream()
        .filter(Origin::isSimulated)
        .findFirst()
        .orElse(origins.get(origins.size() - 1));
  }
}
