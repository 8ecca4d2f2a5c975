package io.slicewise.report.page;

import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.Environment;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.TrialResult;
import java.util.List;
import java.util.Optional;

/**
 * The content of a page.
 *
 * @param title of the page, marked if nothing was measured
 * @param headline the number of trials, on one line
 * @param tune the answer of a tune; empty of other runs
 * @param tables markup of the result tables
 * @param studies what else the run answers, each with a section of its own
 */
public record PageInput(
    PageRun run,
    String title,
    String headline,
    SweepSummary summary,
    Recommendation recommendation,
    PageAdvice advice,
    Optional<PageTune> tune,
    List<String> tables,
    List<PageStudy> studies) {
  public PageInput {
    tables = List.copyOf(tables);
    studies = List.copyOf(studies);
  }

  Experiment experiment() {
    return run.experiment();
  }

  List<TrialResult> results() {
    return run.results();
  }

  /** A run as it was read; {@code name} is that of its directory. */
  public record PageRun(
      String name,
      Experiment experiment,
      List<TrialResult> results,
      List<Environment> environments,
      List<JournalEvent> events) {
    public PageRun {
      results = List.copyOf(results);
      environments = List.copyOf(environments);
      events = List.copyOf(events);
    }

    public static PageRun of(LoadedRun run) {
      return new PageRun(
          run.name(), run.experiment(), run.results(), run.environments(), run.events());
    }
  }

  /**
   * What a run answers besides which profile is best.
   *
   * @param name of its section
   * @param answer on one line, the page's answer if the run compares no profiles; empty without one
   * @param markup of its section
   */
  public record PageStudy(String name, String answer, String markup) {}
}
