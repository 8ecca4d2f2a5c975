package io.slicewise.cli.screens;

import io.slicewise.base.json.Json;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.profile.ParametersText;
import io.slicewise.report.Reports;
import io.slicewise.report.TuneReport;
import io.slicewise.report.Wrap;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.RunState;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Prints the end of a run, as text or as JSON. */
public record RunEnd(
    RunDirectory run, RunOutcome outcome, Optional<Reports.Written> written, Facts facts) {

  /**
   * The JSON output.
   *
   * @param restored settings restored and verified at the end, by domain
   * @param leftChanged domains that could not be restored
   * @param gone changed guests that no longer run, each with a sentence
   * @param tune the answer of a tune and how it came about
   */
  public record Facts(
      String run,
      RunState state,
      int exitCode,
      String sentence,
      Map<String, String> restored,
      List<String> leftChanged,
      Map<String, String> gone,
      Optional<SweepSummary> summary,
      Optional<TuneReport> tune) {}

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
            restored,
            List.copyOf(new TreeSet<>(run.record().touched())),
            new TreeMap<>(outcome.gone()),
            written.map(Reports.Written::summary),
            TuneReport.of(run)));
  }

  public void print(PrintWriter out, boolean json) {
    if (json) {
      out.println(json());
      return;
    }
    written.ifPresent(
        report -> {
          report.text().forEach(out::println);
          out.println();
          out.println("report  " + report.html());
        });
    LabelledLines lines = new LabelledLines(Wrap.WIDTH);
    lines.add("host", receipt());
    if (outcome.state() != RunState.DONE) {
      lines.add("state", outcome.sentence());
      lines.add("next", NextStep.after(outcome.state(), run));
    }
    lines.all().forEach(out::println);
    facts.tune().ifPresent(tune -> TuneScreen.lines(tune, run.root()).forEach(out::println));
  }

  private String receipt() {
    if (!run.origin().workedOnHost()) {
      return "none: " + run.origin().kind().word();
    }
    int put = facts.restored().size();
    int all = put + facts.leftChanged().size();
    String gone =
        facts.gone().entrySet().stream()
            .map(entry -> "; gone: " + entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining());
    if (all == 0) {
      return "no changes left" + gone;
    }
    return "%s of %s settings restored and verified%s%s%s"
        .formatted(
            put,
            all,
            facts.restored().entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", ", put == 0 ? "" : ": ", "")),
            facts.leftChanged().isEmpty()
                ? ""
                : "; NOT RESTORED: " + String.join(", ", facts.leftChanged()),
            gone);
  }

  private String json() {
    return Json.text(facts);
  }
}
