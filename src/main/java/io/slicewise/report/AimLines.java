package io.slicewise.report;

import io.slicewise.analysis.Capacity;
import io.slicewise.analysis.Comparison;
import io.slicewise.analysis.ErrorGuard;
import io.slicewise.analysis.Goal;
import io.slicewise.analysis.Guard;
import io.slicewise.analysis.Metric;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.stats.Crossing;
import io.slicewise.stats.Estimate;
import io.slicewise.sweep.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How profiles stand to what the experiment is to find out, in sentences. */
final class AimLines {
  private static final String BROKEN = "guard BROKEN";

  private final Experiment experiment;
  private final List<TrialResult> results;

  AimLines(Experiment experiment, List<TrialResult> results) {
    this.experiment = experiment;
    this.results = results;
  }

  /** What the recommendation is for, given the metric that decided it. */
  String goal(Metric primary) {
    return Goal.of(experiment)
        .filter(goal -> goal.metric() == primary)
        .map(Goal::toString)
        .orElseGet(() -> ChangeText.goal(primary));
  }

  /** How many users each of these profiles bears; empty without a bound on response times. */
  List<String> capacity(List<String> profiles) {
    Optional<Goal> goal =
        Goal.of(experiment).filter(Goal::below).filter(any -> experiment.workload().loads());
    return goal.map(
            bound ->
                profiles.stream()
                    .distinct()
                    .flatMap(name -> Capacity.of(experiment, results, bound, name).stream())
                    .map(AimLines::sentence)
                    .toList())
        .orElse(List.of());
  }

  private static String sentence(Capacity capacity) {
    Crossing users = capacity.users();
    List<Integer> loads = capacity.loads();
    String what = capacity.goal() + ": ";
    return capacity.profile()
        + Load.besideWords(capacity.neighbours())
        + ", "
        + what
        + switch (users.outcome()) {
          case CROSSED ->
              interval(users.estimate())
                  + " users, interpolated between loads of "
                  + loads.stream().map(String::valueOf).collect(Collectors.joining(", "));
          case BELOW ->
              "not bracketed by the loads measured: it holds up to the highest, "
                  + Load.of(loads.get(loads.size() - 1)).words();
          case ABOVE ->
              "not bracketed by the loads measured: it is missed at the lowest, "
                  + Load.of(loads.get(0)).words();
          case MIXED ->
              "not bracketed by the loads measured in "
                  + (users.curves() - users.crossed())
                  + " of "
                  + users.curves()
                  + " blocks";
          case UNKNOWN -> "no block has a valid trial at every load";
        };
  }

  private static String interval(Estimate users) {
    String mean = String.format(Locale.ROOT, "%.0f", users.mean());
    return Double.isNaN(users.low())
        ? mean + " [" + Numbers.UNKNOWN + ", " + Numbers.UNKNOWN + "]"
        : String.format(Locale.ROOT, "%s [%.0f, %.0f]", mean, users.low(), users.high());
  }

  /** Who breaks which guard: never recommended, however much better. */
  List<String> broken(List<Comparison> comparisons) {
    return experiment.profiles().stream()
        .flatMap(
            profile ->
                guards(profile.name(), comparisons).stream()
                    .filter(sentence -> sentence.contains(BROKEN))
                    .map(sentence -> profile.name() + ", " + sentence))
        .toList();
  }

  /** Every guard of the experiment for a profile, load by load. */
  List<String> guards(String profile, List<Comparison> comparisons) {
    List<String> sentences = new ArrayList<>();
    for (Guard guard : Guard.of(experiment)) {
      comparisons.stream()
          .filter(guard::concerns)
          .filter(comparison -> comparison.profile().equals(profile))
          .forEach(
              comparison ->
                  sentences.add(
                      comparison.load().words()
                          + ": "
                          + ChangeText.sentence(comparison)
                          + ": "
                          + verdict(guard.judge(comparison))
                          + String.format(
                              Locale.ROOT, " (%s %% worse allowed)", percent(guard.allowed()))));
    }
    ErrorGuard.of(experiment)
        .ifPresent(
            guard -> experiment.loads().forEach(n -> sentences.add(errors(guard, profile, n))));
    return sentences;
  }

  private String errors(ErrorGuard guard, String profile, Load load) {
    Estimate errors = ErrorGuard.errors(experiment, results, profile, load);
    return load.words()
        + ": errors "
        + ChangeText.value(Metric.ERRORS, errors.mean())
        + ": "
        + verdict(guard.judge(errors))
        + " ("
        + percent(guard.limit())
        + " % allowed)";
  }

  private static String percent(double share) {
    return ChangeText.plain(100 * share);
  }

  private static String verdict(Guard.Outcome outcome) {
    return switch (outcome) {
      case HOLDS -> "guard holds";
      case BROKEN -> BROKEN;
      case UNCLEAR -> "guard unclear";
    };
  }
}
