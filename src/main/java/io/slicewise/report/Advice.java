package io.slicewise.report;

import io.slicewise.evidence.analysis.Confidence;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.TrialResult;
import java.util.List;
import java.util.Optional;

/**
 * The recommendation of a run as sentences, shared by screen and page.
 *
 * @param profile recommended; empty if none is shown to be better than the baseline
 * @param headline the answer
 * @param lines evidence, costs and further details, in reading order
 * @param confidence empty when nothing is recommended
 * @param apply commands for Domain-0 that set the profile on a host as the run found it
 * @param undo commands that restore the settings found
 */
public record Advice(
    Optional<String> profile,
    String headline,
    List<Line> lines,
    Optional<Confidence> confidence,
    List<String> apply,
    List<String> undo) {
  public Advice {
    lines = List.copyOf(lines);
    apply = List.copyOf(apply);
    undo = List.copyOf(undo);
  }

  /**
   * A labelled sentence; an empty label continues the line above.
   *
   * @param label {@code Evidence}, {@code Price}, {@code Why not}, …
   */
  public record Line(String label, String text) {}

  /** Returns the advice of a run from its results so far. */
  public static Advice of(RunDirectory run) {
    Experiment experiment = run.readExperiment();
    List<TrialResult> results = run.results();
    Recommendation facts =
        Recommendation.from(experiment, results, Question.of(experiment, results));
    return of(
        run,
        experiment,
        results,
        TuneReport.of(run, experiment, results)
            .map(tune -> facts.choosing(TunePage.choice(tune)))
            .orElse(facts));
  }

  /** Returns the advice from results that are already loaded and compared. */
  public static Advice of(
      RunDirectory run, Experiment experiment, List<TrialResult> results, Recommendation facts) {
    return new AdviceWriter(run, experiment, results, facts).advice();
  }
}
