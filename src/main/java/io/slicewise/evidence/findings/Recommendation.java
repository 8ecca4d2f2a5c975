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
 * @param rivals other profiles that could be recommended, and are in all best sets that it is in
 * @param bestSets in the primary metric, by load
 * @param comparisons all of them, including exploratory ones (the price)
 * @param drift of the primary metric against run order, over all cells
 * @param excluded trials excluded by a rule
 * @param sessions evidence from the sessions of a switchback design; empty for trials
 */
public record Recommendation(
    Question question,
    Optional<String> candidate,
    List<String> rivals,
    List<BestSet> bestSets,
    List<Comparison> comparisons,
    OrderDrift drift,
    ControlCheck control,
    int excluded,
    Optional<SessionEvidence> sessions) {
  public Recommendation {
    rivals = List.copyOf(rivals);
    bestSets = List.copyOf(bestSets);
    comparisons = List.copyOf(comparisons);
  }

  /** Derives the facts from a sweep's results. */
  public static Recommendation from(
      Experiment experiment, List<TrialResult> results, Question question) {
    List<Comparison> comparisons = Comparisons.of(experiment, results, question);
    List<BestSet> sets = BestSet.of(experiment, results, question.primary());
    List<String> usable = usable(experiment, results, comparisons);
    Optional<String> candidate =
        usable.stream().min(order(comparisons, sets, question.primary().moreIsBetter()));
    return new Recommendation(
        question,
        candidate,
        candidate.map(name -> rivals(usable, name, sets)).orElse(List.of()),
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
        rivals,
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
        question, profile, List.of(), bestSets, comparisons, drift, control, excluded, sessions);
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

  /** Returns the profiles that are better at some load, worse at none, and break no guard. */
  private static List<String> usable(
      Experiment experiment, List<TrialResult> results, List<Comparison> comparisons) {
    Watch watch = new Watch(experiment, results, comparisons);
    return Summaries.profileNames(experiment).stream()
        .filter(name -> count(comparisons, name, Verdict.BETTER) > 0)
        .filter(name -> count(comparisons, name, Verdict.WORSE) == 0)
        .filter(name -> !watch.brokenBy(name))
        .toList();
  }

  /** First the better at more loads, then the one in more best sets, then by the mean gain. */
  private static Comparator<String> order(
      List<Comparison> comparisons, List<BestSet> sets, boolean moreIsBetter) {
    return Comparator.comparingLong((String name) -> -count(comparisons, name, Verdict.BETTER))
        .thenComparingLong(name -> -sets.stream().filter(set -> isIn(set, name)).count())
        .thenComparingDouble(
            name ->
                (moreIsBetter ? -1 : 1)
                    * comparisons.stream()
                        .filter(one -> one.kind() == Comparison.Kind.PRIMARY)
                        .filter(one -> one.profile().equals(name))
                        .mapToDouble(one -> one.means().effect().logRatio())
                        .average()
                        .orElse(0));
  }

  private static boolean isIn(BestSet set, String profile) {
    return set.profiles().contains(profile);
  }

  private static List<String> rivals(List<String> usable, String chosen, List<BestSet> sets) {
    List<BestSet> its = sets.stream().filter(set -> isIn(set, chosen)).toList();
    return usable.stream()
        .filter(name -> !name.equals(chosen))
        .filter(name -> !its.isEmpty() && its.stream().allMatch(set -> isIn(set, name)))
        .toList();
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
