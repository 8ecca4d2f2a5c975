package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.profile.Scheduler;
import io.slicewise.xen.Toolstack;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The trials still to be run, those the host cannot run now apart from the others. */
final class TrialQueue {
  private final Experiment experiment;
  private final Set<Integer> failedHere;
  private final int planned;
  private final int unfinished;
  private final Deque<Trial> runnable = new ArrayDeque<>();
  private final List<Trial> waiting = new ArrayList<>();
  private final Map<Scheduler, Integer> needed = new EnumMap<>(Scheduler.class);

  /**
   * A queue of all trials that are not finished.
   *
   * @param failedHere numbers of trials this process failed already; a reboot for their sake alone
   *     would go on for ever
   */
  TrialQueue(Experiment experiment, Set<Integer> finished, Set<Integer> failedHere) {
    this.experiment = experiment;
    this.failedHere = Set.copyOf(failedHere);
    List<Trial> plan = Plan.of(experiment);
    this.planned = plan.size();
    plan.stream().filter(trial -> !finished.contains(trial.number())).forEach(runnable::add);
    this.unfinished = runnable.size();
  }

  /** Sorts anew by what the host runs now; it may have been rebooted into another scheduler. */
  void sortBy(List<Toolstack.Setting> now) {
    List<Trial> all = new ArrayList<>(runnable);
    all.addAll(waiting);
    all.sort(Comparator.comparingInt(Trial::number));
    runnable.clear();
    waiting.clear();
    needed.clear();
    for (Trial trial : all) {
      Optional<Scheduler> missing =
          SettingsGuard.missingScheduler(experiment, experiment.profile(trial.profile()), now);
      if (missing.isEmpty()) {
        runnable.add(trial);
      } else if (!failedHere.contains(trial.number())) {
        waiting.add(trial);
        needed.merge(missing.get(), 1, Integer::sum);
      }
    }
  }

  Optional<Trial> next() {
    return Optional.ofNullable(runnable.peek());
  }

  Trial take() {
    return runnable.remove();
  }

  void putBack(Trial trial) {
    runnable.addFirst(trial);
  }

  boolean isEmpty() {
    return runnable.isEmpty();
  }

  /** How many trials the whole plan has. */
  int planned() {
    return planned;
  }

  /** How many of them were not finished when this process began. */
  int unfinished() {
    return unfinished;
  }

  /** How many trials are left that the host can run now. */
  int runnable() {
    return runnable.size();
  }

  /** Schedulers that trials wait for. */
  Set<Scheduler> waitingFor() {
    return Set.copyOf(needed.keySet());
  }

  /** One phrase a scheduler: {@code 12 trials need sched=sedf}. */
  List<String> waitingInWords() {
    return needed.entrySet().stream()
        .map(
            entry ->
                trials(entry.getValue())
                    + (entry.getValue() == 1 ? " needs sched=" : " need sched=")
                    + entry.getKey().xenName())
        .toList();
  }

  static String trials(int count) {
    return count + (count == 1 ? " trial" : " trials");
  }
}
