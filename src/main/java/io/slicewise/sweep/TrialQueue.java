package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.host.Hypervisor;
import io.slicewise.profile.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The trials still to be run, those the host cannot run now apart from the others. */
final class TrialQueue {
  private final Experiment experiment;
  private final Set<Integer> failedHere;
  private int unfinished;
  private List<Hypervisor.Setting> now = List.of();
  private final List<Trial> runnable = new ArrayList<>();
  private final List<Trial> waiting = new ArrayList<>();
  private final Map<Scheduler, Integer> needed = new EnumMap<>(Scheduler.class);

  /**
   * A queue of these trials.
   *
   * @param failedHere numbers of trials this process failed already; a reboot for their sake alone
   *     would go on for ever
   */
  TrialQueue(Experiment experiment, List<Trial> trials, Set<Integer> failedHere) {
    this.experiment = experiment;
    this.failedHere = Set.copyOf(failedHere);
    this.runnable.addAll(trials);
    this.unfinished = trials.size();
  }

  /** Sorts anew by what the host runs now; it may have been rebooted into another scheduler. */
  void sortBy(List<Hypervisor.Setting> settings) {
    now = List.copyOf(settings);
    List<Trial> all = new ArrayList<>(runnable);
    all.addAll(waiting);
    all.sort(order());
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

  /** In blocks, further attempts stand behind their block's other trials; else beside the first. */
  private Comparator<Trial> order() {
    Comparator<Trial> blocks =
        Comparator.comparingInt(Trial::block).thenComparingInt(Trial::attempt);
    return experiment.order() == Experiment.Order.BLOCKS
        ? blocks.thenComparingInt(Trial::number)
        : Comparator.comparingInt(Trial::number).thenComparingInt(Trial::attempt);
  }

  /** More trials than there were to begin with; each takes its place among the others. */
  void add(List<Trial> more) {
    runnable.addAll(more);
    unfinished += more.size();
    sortBy(now);
  }

  Optional<Trial> next() {
    return runnable.stream().findFirst();
  }

  Trial take() {
    return runnable.remove(0);
  }

  void putBack(Trial trial) {
    runnable.add(0, trial);
  }

  boolean isEmpty() {
    return runnable.isEmpty();
  }

  /** How many trials were not finished when this process began, and how many it added since. */
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
