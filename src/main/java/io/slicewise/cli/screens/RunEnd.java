package io.slicewise.cli.screens;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.json.Json;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.profile.ParametersText;
import io.slicewise.report.Advice;
import io.slicewise.report.Reports;
import io.slicewise.report.TuneReport;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.journal.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The end of a run, in full or as JSON; {@link AnswerScreen} prints it on one screen. */
public record RunEnd(
    RunDirectory run, RunOutcome outcome, Optional<Reports.Written> written, Facts facts) {

  /** The parts of the recommendation that are printed; 'recommend' prints all. */
  private static final Set<String> SHOWN =
      Set.of(
          "But",
          "Surer by",
          "Evidence",
          "Guard",
          "Price",
          "Waits",
          "How sure",
          "Apply",
          "Undo",
          "Not shown");

  private static final int LABEL = 11;

  /**
   * The JSON output.
   *
   * @param answer of the run
   * @param tune how the answer of a tune came about
   */
  public record Facts(
      String run,
      RunState state,
      int exitCode,
      String sentence,
      @JsonUnwrapped Settings settings,
      Optional<SweepSummary> summary,
      Optional<Answer> answer,
      Optional<TuneReport> tune) {}

  /**
   * What became of the settings of the host.
   *
   * @param restored settings restored and verified at the end, by domain
   * @param leftChanged domains that could not be restored
   * @param gone changed guests that no longer run, each with a sentence
   */
  public record Settings(
      Map<String, String> restored, List<String> leftChanged, Map<String, String> gone) {
    private String text() {
      int put = restored.size();
      int all = put + leftChanged.size();
      String missing =
          gone.entrySet().stream()
              .map(entry -> "; gone: " + entry.getKey() + " " + entry.getValue())
              .collect(Collectors.joining());
      if (all == 0) {
        return "no changes left" + missing;
      }
      return "%s of %s settings restored and verified%s%s%s"
          .formatted(
              put,
              all,
              restored.entrySet().stream()
                  .map(entry -> entry.getKey() + " " + entry.getValue())
                  .collect(Collectors.joining(", ", put == 0 ? "" : ": ", "")),
              leftChanged.isEmpty() ? "" : "; NOT RESTORED: " + String.join(", ", leftChanged),
              missing);
    }
  }

  public static RunEnd of(
      RunDirectory run, RunOutcome outcome, Optional<Reports.Written> written, ExitCode code) {
    Map<String, String> restored = new TreeMap<>();
    outcome
        .restored()
        .forEach((domain, parameters) -> restored.put(domain, ParametersText.of(parameters)));
    return new RunEnd(
        run,
        outcome,
        written,
        new Facts(
            run.root().toString(),
            outcome.state(),
            code.code(),
            outcome.sentence(),
            new Settings(
                restored,
                List.copyOf(new TreeSet<>(run.record().touched())),
                new TreeMap<>(outcome.gone())),
            written.map(Reports.Written::summary),
            written.map(report -> report.advice().answer()),
            written.flatMap(Reports.Written::tune)));
  }

  /** Returns all tables, the recommendation with what supports it, and the notes. */
  public List<String> everything(int width) {
    List<String> lines = new ArrayList<>();
    written.ifPresent(
        report -> {
          lines.addAll(report.text().apply(width));
          lines.add("");
          lines.addAll(answer(report));
          List<String> notes = report.notes().apply(width);
          if (!notes.isEmpty()) {
            lines.add("");
            lines.add("notes");
            lines.addAll(notes);
          }
        });
    return lines;
  }

  /** Returns the tune's answer, or the recommendation with what supports it and what it costs. */
  private List<String> answer(Reports.Written report) {
    if (facts.tune().isPresent()) {
      return TuneScreen.lines(facts.tune().get(), report.advice(), report.run());
    }
    Advice advice = report.advice();
    LabelledLines lines = new LabelledLines(Terminal.tableWidth(), LABEL);
    lines.add("ANSWER", advice.headline());
    String label = "";
    for (Advice.Line line : advice.lines()) {
      label = line.label().isEmpty() ? label : line.label();
      if (SHOWN.contains(label)) {
        lines.add(line.label(), line.text());
      }
    }
    return lines.all();
  }

  /** Returns what became of the settings of the host. */
  String receipt() {
    return run.origin().workedOnHost()
        ? facts.settings().text()
        : "none: " + run.origin().kind().word();
  }

  public String json() {
    return Json.text(facts);
  }
}
