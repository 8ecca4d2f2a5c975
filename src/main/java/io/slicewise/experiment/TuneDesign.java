package io.slicewise.experiment;

import io.slicewise.experiment.goal.Tuning;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The design of a tune whose file names none: switchback sessions if all candidates can be switched
 * live, otherwise trials.
 */
public final class TuneDesign {
  /** Fewer than in other sessions, since a race decides only after its third session. */
  public static final int BLOCKS = 6;

  private TuneDesign() {}

  public static Optional<SessionDesign> of(
      List<SchedulerProfile> profiles, Set<String> searched, Order order, Duration window) {
    return mixture(profiles, searched).isPresent() || !order.equals(Order.BLOCKS)
        ? Optional.empty()
        : Optional.of(
            new SwitchbackDesign(SwitchbackDesign.SESSIONS, BLOCKS, window, Optional.empty()));
  }

  /** Returns why candidates cannot be switched inside a session; empty if they can. */
  public static Optional<String> reasonForTrials(Experiment experiment) {
    return mixture(
            experiment.profiles(), experiment.tuning().map(Tuning::searched).orElse(Set.of()))
        .or(
            () ->
                Optional.of(experiment.order())
                    .filter(order -> !order.equals(Order.BLOCKS))
                    .map(order -> "'order: %s' has no blocks".formatted(order)));
  }

  /**
   * Returns a clause about candidates of several schedulers; empty if all can be of one.
   *
   * @param searched parameters of the search
   */
  public static Optional<String> mixture(List<SchedulerProfile> profiles, Set<String> searched) {
    Set<Scheduler> listed =
        profiles.stream()
            .flatMap(profile -> profile.scheduler().stream())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    String names = listed.stream().map(Scheduler::xenName).collect(Collectors.joining(" and "));
    if (listed.size() > 1) {
      return Optional.of("a running session cannot switch between the schedulers " + names);
    }
    return listed.stream()
        .filter(scheduler -> !scheduler.keys().containsAll(searched))
        .findFirst()
        .map(
            scheduler ->
                "the profiles are of %s, which has no %s: a running session has one scheduler"
                    .formatted(names, String.join(" and ", new TreeSet<>(searched))));
  }
}
