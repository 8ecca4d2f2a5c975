package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.host.Hypervisor;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Schedulers;
import io.slicewise.run.PlannedTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The open trials, split into those that the host can run now and those that wait for another
 * scheduler.
 *
 * @param runnable in the order in which they should run
 * @param waiting number of trials that need each scheduler
 */
record TrialQueue(List<PlannedTrial> runnable, Map<Scheduler, Integer> waiting) {
  static final TrialQueue EMPTY = new TrialQueue(List.of(), Map.of());

  /**
   * Sorts the trials.
   *
   * @param settings of the host now
   * @param noReboot numbers of trials that do not wait for a reboot; they are left for {@code
   *     resume}
   */
  static TrialQueue of(
      Hypervisor hypervisor,
      Experiment experiment,
      List<PlannedTrial> open,
      List<Hypervisor.Setting> settings,
      Set<Integer> noReboot) {
    List<PlannedTrial> runnable = new ArrayList<>();
    Map<Scheduler, Integer> waiting = new TreeMap<>(Schedulers.ORDER);
    for (PlannedTrial one : open) {
      Optional<Scheduler> missing =
          SettingsGuard.missingScheduler(hypervisor, experiment, one.profile(), settings);
      if (missing.isEmpty()) {
        runnable.add(one);
      } else if (!noReboot.contains(one.trial().number())) {
        waiting.merge(missing.get(), 1, Integer::sum);
      }
    }
    return new TrialQueue(runnable, waiting);
  }

  /** Returns one phrase per scheduler: {@code 12 trials need sched=sedf}. */
  List<String> waitingPhrases() {
    return waiting.entrySet().stream()
        .map(
            one ->
                "%s %s sched=%s"
                    .formatted(
                        trials(one.getValue()),
                        one.getValue() == 1 ? "needs" : "need",
                        one.getKey()))
        .toList();
  }

  static String trials(int count) {
    return count + (count == 1 ? " trial" : " trials");
  }
}
