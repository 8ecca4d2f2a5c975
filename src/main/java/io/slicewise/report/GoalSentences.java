package io.slicewise.report;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.findings.Capacity;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.report.table.ChangeText;
import io.slicewise.report.table.Numbers;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Crossing;
import io.slicewise.stats.Estimate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Sentences on goals, capacity and guards of an experiment. */
record GoalSentences(Experiment experiment, List<TrialResult> results) {
  /** Returns the goal of the recommendation, given its primary metric. */
  String goal(Metric primary) {
    return Goal.of(experiment)
        .filter(goal -> goal.metric().equals(primary))
        .map(Goal::toString)
        .orElseGet(() -> ChangeText.goal(primary));
  }

  /** Returns the capacity of each profile; empty without a bound on response times. */
  List<String> capacity(List<String> profiles) {
    Optional<Goal> goal =
        Goal.of(experiment).filter(Goal::below).filter(any -> experiment.workload().loads());
    return goal.map(
            bound ->
                profiles.stream()
                    .distinct()
                    .flatMap(name -> Capacity.of(experiment, results, bound, name).stream())
                    .map(GoalSentences::sentence)
                    .toList())
        .orElse(List.of());
  }

  private static String sentence(Capacity capacity) {
    Crossing size = capacity.size();
    List<Load> loads = capacity.loads();
    String what = capacity.goal() + ": ";
    return "%s%s, %s".formatted(capacity.profile(), capacity.beside().text(), what)
        + switch (size.outcome()) {
          case CROSSED ->
              "%s %s, interpolated between loads of %s"
                  .formatted(
                      interval(size.estimate(), loads.get(0).driver()),
                      loads.get(0).driver().unit(),
                      Axis.list(loads.get(0).driver().levels(loads)));
          case BELOW ->
              "not bracketed by the loads measured: met up to the highest, "
                  + size(loads.get(loads.size() - 1));
          case ABOVE ->
              "not bracketed by the loads measured: missed at the lowest, " + size(loads.get(0));
          case MIXED ->
              "not bracketed by the loads measured in %s of %s blocks"
                  .formatted(size.curves() - size.crossed(), size.curves());
          case UNKNOWN -> "no block has a valid trial at every load";
        };
  }

  private static String size(Load load) {
    return load.driver().text(load.level(load.driver()).orElseThrow());
  }

  private static String interval(Estimate size, Axis axis) {
    return Double.isNaN(size.low())
        ? "%s [%s, %s]".formatted(most(size.mean(), axis), Numbers.UNKNOWN, Numbers.UNKNOWN)
        : "%s [%s, %s]"
            .formatted(most(size.mean(), axis), most(size.low(), axis), most(size.high(), axis));
  }

  /** Returns the largest size on an axis that meets the bound: 5.87 users give 5, as a rate 5.8. */
  static String most(double size, Axis axis) {
    // Adds a small step so that 6 computed as 5.999… stays 6.
    return BigDecimal.valueOf(size + 1e-6)
        .setScale(axis.decimals(), RoundingMode.FLOOR)
        .toPlainString();
  }

  /** Returns the profiles that break a guard; they are never recommended. */
  List<String> broken(List<Comparison> comparisons) {
    return experiment.profiles().stream()
        .map(SchedulerProfile::name)
        .flatMap(
            profile ->
                judged(profile, comparisons)
                    .filter(guard -> guard.outcome() == Guard.Outcome.BROKEN)
                    .map(guard -> profile + ", " + guard.sentence()))
        .toList();
  }

  /** Returns the outcome of every guard for a profile at each load. */
  List<String> guards(String profile, List<Comparison> comparisons) {
    return judged(profile, comparisons).map(Judged::sentence).toList();
  }

  /** Returns the outcome of a guard for a profile at a load. */
  private record Judged(String what, Guard.Outcome outcome, String allowed) {
    String sentence() {
      return what + ": " + ChangeText.guard(outcome) + " (" + allowed + " allowed)";
    }
  }

  private Stream<Judged> judged(String profile, List<Comparison> comparisons) {
    Stream<Judged> changes =
        Guard.of(experiment).stream()
            .flatMap(
                guard ->
                    comparisons.stream()
                        .filter(guard::concerns)
                        .filter(comparison -> comparison.profile().equals(profile))
                        .map(comparison -> judged(guard, comparison)));
    Stream<Judged> errors =
        ErrorGuard.of(experiment).stream()
            .flatMap(
                guard -> experiment.loads().stream().map(load -> judged(guard, profile, load)));
    return Stream.concat(changes, errors);
  }

  private static Judged judged(Guard guard, Comparison comparison) {
    return new Judged(
        comparison.load().text() + ": " + ChangeText.sentence(comparison),
        guard.judge(comparison),
        percent(guard.allowed()) + " % worse");
  }

  private Judged judged(ErrorGuard guard, String profile, Load load) {
    Estimate errors = ErrorGuard.errors(experiment, results, profile, load);
    return new Judged(
        load.text() + ": errors " + ChangeText.value(Metric.ERRORS, errors.mean()),
        guard.judge(errors),
        percent(guard.limit()) + " %");
  }

  private static String percent(double share) {
    return ChangeText.plain(100 * share);
  }
}
