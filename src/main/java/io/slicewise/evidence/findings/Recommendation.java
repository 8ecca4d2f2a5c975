package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.RunOrder;
import io.slicewise.evidence.analysis.SessionEvidence;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Verdict;
import io.slicewise.stats.table.OrderDrift;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The facts behind a recommendation.
 *
 * @param candidate the recommended profile; empty if none is shown to be better at any load
 * @param bestSets in the primary metric, by load
 * @param comparisons all of them, including exploratory ones (the price)
 * @param drift of the primary metric against run order, over all cells
 * @param excluded trials excluded by a rule
 * @param sessions evidence from the sessions of a switchback design; empty for trials
 */
public record Recommendation(
    Question question,
    Optional<String> candidate,
    List<BestSet> bestSets,
    List<Comparison> comparisons,
    OrderDrift drift,
    ControlCheck control,
    int excluded,
    Optional<SessionEvidence> sessions) {
  public Recommendation {
    bestSets = List.copyOf(bestSets);
    comparisons = List.copyOf(comparisons);
  }

  /** Derives the facts from a sweep's results. */
  public static Recommendation from(
      Experiment experiment, List<TrialResult> results, Question question) {
    List<Comparison> comparisons = Comparisons.of(experiment, results, question);
    List<BestSet> sets = BestSet.of(experiment, results, question.primary());
    Watch watch = new Watch(experiment, results, comparisons);
    return new Recommendation(
        question,
        candidate(experiment, comparisons, sets, watch),
        sets,
        comparisons,
        RunOrder.drift(experiment, results, question.primary()),
        ControlCheck.of(comparisons, question.primary()),
        new Attempts(results).excluded(),
        SessionEvidence.of(experiment, results));
  }

  /** Returns the same facts with other comparisons. */
  public Recommendation comparing(List<Comparison> others) {
    return new Recommendation(
        question,
        candidate,
        bestSets,
        others,
        drift,
        control,
        excluded,
        sessions.map(evidence -> evidence.comparing(others)));
  }

  /** Returns the same facts with this profile as the candidate, as a tune chooses its own. */
  public Recommendation choosing(Optional<String> profile) {
    return new Recommendation(
        question, profile, bestSets, comparisons, drift, control, excluded, sessions);
  }

  /** Returns whether the candidate's estimates have one sign at all loads. */
  public boolean sameDirection() {
    List<Double> percents =
        comparisons.stream()
            .filter(comparison -> comparison.kind() == Comparison.Kind.PRIMARY)
            .filter(comparison -> candidate.equals(Optional.of(comparison.profile())))
            .map(comparison -> comparison.change().percent())
            .toList();
    return percents.stream().allMatch(it -> it > 0) || percents.stream().allMatch(it -> it < 0);
  }

  /**
   * Returns the profile that is better at the most loads, worse at none, and breaks no guard; ties
   * go to the one in more best sets, then to the first in the file.
   */
  private static Optional<String> candidate(
      Experiment experiment, List<Comparison> comparisons, List<BestSet> sets, Watch watch) {
    return Summaries.profileNames(experiment).stream()
        .filter(name -> count(comparisons, name, Verdict.BETTER) > 0)
        .filter(name -> count(comparisons, name, Verdict.WORSE) == 0)
        .filter(name -> !watch.brokenBy(name))
        .min(
            Comparator.comparingLong((String name) -> -count(comparisons, name, Verdict.BETTER))
                .thenComparingLong(
                    name -> -sets.stream().filter(set -> set.profiles().contains(name)).count()));
  }

  /** Checks profiles against the guards of the experiment. */
  private record Watch(
      Experiment experiment, List<TrialResult> results, List<Comparison> comparisons) {
    boolean brokenBy(String profile) {
      boolean change =
          Guard.of(experiment).stream()
              .anyMatch(
                  guard ->
                      comparisons.stream()
                          .filter(guard::concerns)
                          .filter(comparison -> comparison.profile().equals(profile))
                          .anyMatch(one -> guard.judge(one) == Guard.Outcome.BROKEN));
      return change
          || ErrorGuard.of(experiment).filter(limit -> broken(limit, profile)).isPresent();
    }

    private boolean broken(ErrorGuard limit, String profile) {
      return experiment.loads().stream()
          .map(load -> ErrorGuard.errors(experiment, results, profile, load))
          .anyMatch(errors -> limit.judge(errors) == Guard.Outcome.BROKEN);
    }
  }

  private static long count(List<Comparison> comparisons, String profile, Verdict verdict) {
    return comparisons.stream()
        .filter(comparison -> comparison.kind() == Comparison.Kind.PRIMARY)
        .filter(comparison -> comparison.profile().equals(profile))
        .filter(comparison -> comparison.verdict() == verdict)
        .count();
  }
}
