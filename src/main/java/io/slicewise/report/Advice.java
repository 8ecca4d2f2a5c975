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
 * What a run recommends, in sentences: the same on the screen and on the page.
 *
 * @param profile recommended; empty when none is shown to be better than the baseline
 * @param headline the answer
 * @param lines evidence, price and what else belongs to it, in the order they are read
 * @param confidence empty when nothing is recommended
 * @param apply commands for the host's Domain-0 that set the profile on a host as the run found it
 * @param undo commands that put back what the run found
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
   * One sentence under its label; an empty label continues the one above.
   *
   * @param label {@code Evidence}, {@code Price}, {@code Why not}, …
   */
  public record Line(String label, String text) {}

  /** The advice of a run, from what it has so far. */
  public static Advice of(RunDirectory run) {
    Experiment experiment = run.readExperiment();
    List<TrialResult> results = run.results();
    Recommendation facts =
        Recommendation.from(experiment, results, Question.of(experiment, results));
    return of(run, experiment, results, facts);
  }

  /** The same where its results have been read and compared already. */
  public static Advice of(
      RunDirectory run, Experiment experiment, List<TrialResult> results, Recommendation facts) {
    return new AdviceWriter(run, experiment, results, facts).advice();
  }
}
