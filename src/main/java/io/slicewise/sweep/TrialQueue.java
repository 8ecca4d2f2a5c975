package io.slicewise.sweep;

import io.slicewise.base.units.Plural;
import io.slicewise.experiment.SessionKey;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Schedulers;
import io.slicewise.run.journal.PlannedTrial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

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
   * Sorts the trials. A session waits whole: its profiles share one boot.
   *
   * @param missing the scheduler that a profile needs and the host does not run now
   * @param noReboot numbers of trials that do not wait for a reboot; they are left for {@code
   *     resume}
   */
  static TrialQueue of(
      List<PlannedTrial> open,
      Function<SchedulerProfile, Optional<Scheduler>> missing,
      Set<Integer> noReboot) {
    List<PlannedTrial> runnable = new ArrayList<>();
    Map<Scheduler, Integer> waiting = new TreeMap<>(Schedulers.ORDER);
    Map<String, Optional<Scheduler>> byProfile = new HashMap<>();
    Map<SessionKey, Scheduler> bySession = new HashMap<>();
    for (PlannedTrial one : open) {
      Optional<Scheduler> needed =
          byProfile.computeIfAbsent(one.profile().name(), name -> missing.apply(one.profile()));
      one.trial()
          .session()
          .ifPresent(session -> needed.ifPresent(it -> bySession.put(session, it)));
    }
    for (PlannedTrial one : open) {
      Optional<Scheduler> needed =
          one.trial().session().isPresent()
              ? one.trial().session().map(bySession::get)
              : byProfile.get(one.profile().name());
      if (needed.isEmpty()) {
        runnable.add(one);
      } else if (!noReboot.contains(one.trial().number())) {
        waiting.merge(needed.get(), 1, Integer::sum);
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
                        Plural.of(one.getValue(), "trial"),
                        one.getValue() == 1 ? "needs" : "need",
                        one.getKey()))
        .toList();
  }
}
