package io.slicewise.sweep;

import io.slicewise.base.units.Plural;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.host.Hypervisor;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Schedulers;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.source.TrialHistory;
import io.slicewise.sweep.source.TrialSource;
import io.slicewise.sweep.window.Sitting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The open trials of a run. Asks the source of trials, journals new trials before they run, and
 * keeps the results for the source.
 */
final class OpenTrials {
  private final Sitting sitting;
  private final TrialSource source;
  private final Hypervisor hypervisor;
  private final Journal journal;
  private final Consumer<JournalEvent> plans;
  private final Set<Integer> failedHere;
  private final Set<Integer> failed = new TreeSet<>();
  private final Set<Integer> refused = new TreeSet<>();
  private final Set<String> seen = new HashSet<>();
  private final List<Measured> measured;
  private RunRecord record;
  private Instant began = Instant.MAX;
  private Optional<SessionKey> running = Optional.empty();
  private int finished;
  private boolean ended;
  private boolean over;
  private List<Hypervisor.Setting> settings = List.of();
  private TrialQueue queue = TrialQueue.EMPTY;

  /**
   * @param plans receives the trials that the source adds and withdraws
   */
  OpenTrials(
      Sitting sitting,
      TrialSource source,
      Hypervisor hypervisor,
      Journal journal,
      Consumer<JournalEvent> plans) {
    this.plans = plans;
    this.sitting = sitting;
    this.source = source;
    this.hypervisor = hypervisor;
    this.journal = journal;
    this.record = sitting.run().record();
    this.failedHere = failedHere(sitting.run().events());
    this.measured = new ArrayList<>(sitting.run().results().stream().map(Measured::of).toList());
  }

  /**
   * Returns the trials that failed in this process, now or before a reboot. Rebooting only for them
   * could repeat forever.
   */
  private static Set<Integer> failedHere(List<JournalEvent> events) {
    Set<Integer> failed = new TreeSet<>();
    boolean here = false;
    for (JournalEvent event : events) {
      if (event instanceof JournalEvent.RunStarted start) {
        here = start.process() == ThisProcess.id() && start.machine().equals(ThisProcess.machine());
      } else if (here && event instanceof JournalEvent.TrialFailed failure) {
        failed.add(failure.trial());
      }
    }
    return failed;
  }

  /** Reads the settings that the host has now; it may have been rebooted into another scheduler. */
  void readHost() {
    settings = List.copyOf(hypervisor.settings());
  }

  /** Asks the source for the first time and reports the number of trials to the listener. */
  void begin() {
    List<Instant> nights = JournalEvent.nights(sitting.run().events());
    began = nights.get(sitting.experiment().pairs().isPresent() ? nights.size() - 1 : 0);
    Asked asked = ask();
    TrialSource.Answer answer = asked.answer();
    int trials = record.trials(sitting.experiment()).size();
    int done = trials - answer.open().size();
    int most = sitting.experiment().pairs().map(pairs -> 2 * blocks()).orElse(0);
    sitting
        .listener()
        .runStarted(
            sitting.run(),
            Math.max(trials, most),
            done,
            Math.max(queue.runnable().size(), most - done),
            queue.waitingPhrases());
    if (replacesBlocks()) {
      announceMore(asked);
    }
  }

  /** Returns the next trial; empty if nothing is left that the host can run. */
  Optional<PlannedTrial> next() {
    if (over) {
      return Optional.empty();
    }
    Asked asked = ask();
    announce(asked);
    TrialSource.Answer answer = asked.answer();
    answer.outlook().ifPresent(sitting.listener()::outlook);
    if (answer.open().isEmpty() && !answer.reason().isEmpty() && !ended) {
      ended(answer.reason());
    }
    return queue.runnable().stream().findFirst();
  }

  private void ended(String reason) {
    ended = true;
    journal.append(
        new JournalEvent.Stopped(
            sitting.now(), Math.max(sitting.experiment().repetitions(), record.blocks()), reason));
    sitting
        .listener()
        .remark(
            "no further %s: %s"
                .formatted(sitting.experiment().pairs().isPresent() ? "pair" : "block", reason));
  }

  /** Ends the run here, whatever the source would plan: what is open is withdrawn. */
  void end(String reason) {
    if (over) {
      return;
    }
    List<String> withdrawn = withdrawn(history(Set.of()), List.of());
    if (!withdrawn.isEmpty()) {
      JournalEvent event =
          JournalEvent.TrialsPlanned.of(sitting.now(), List.of(), withdrawn, reason);
      journal.append(event);
      record = record.with(event);
      withdrawn.forEach(seen::remove);
    }
    over = true;
    queue = TrialQueue.EMPTY;
    ended(reason);
  }

  /**
   * Returns the windows that come next in the session: those of its next block; none where the
   * session ends here.
   */
  List<PlannedTrial> nextBlock(SessionKey session) {
    Optional<PlannedTrial> first =
        next().filter(one -> one.trial().session().equals(Optional.of(session)));
    return first
        .map(
            one ->
                queue.runnable().stream()
                    .takeWhile(other -> isOfSameBlock(one.trial(), other.trial()))
                    .toList())
        .orElse(List.of());
  }

  private static boolean isOfSameBlock(Trial one, Trial other) {
    return other.session().equals(one.session())
        && other.place().map(WindowPlace::block).equals(one.place().map(WindowPlace::block));
  }

  /** Journals that a session begins, which from here on can go on. */
  void sessionBegins(SessionKey session) {
    JournalEvent event = new JournalEvent.SessionStarted(sitting.now(), session);
    journal.append(event);
    record = record.with(event);
    running = Optional.of(session);
  }

  /** Journals that the session ended, which from here on cannot go on. */
  void sessionEnded(SessionKey session, Optional<Duration> washOut, String reason) {
    running = Optional.empty();
    JournalEvent event = new JournalEvent.SessionEnded(sitting.now(), session, washOut, reason);
    journal.append(event);
    record = record.with(event);
  }

  /** Returns the trial that most likely follows this one. */
  Optional<PlannedTrial> following(PlannedTrial now) {
    return queue.runnable().stream().filter(one -> !one.equals(now)).findFirst();
  }

  void finished(TrialResult result) {
    finished++;
    measured.add(Measured.of(result));
    if (sitting.experiment().pairs().isPresent()) {
      sitting.listener().study(PairedStudy.of(sitting.experiment(), measured));
    }
    sitting
        .experiment()
        .stop()
        .ifPresent(
            any -> sitting.listener().precision(Precision.after(sitting.experiment(), measured)));
  }

  /** Records a trial without a result, which is left for {@code resume}. */
  void failed(PlannedTrial trial) {
    failed.add(trial.trial().number());
  }

  /** Records a trial whose settings the host does not take; nothing of it is left to do. */
  void refused(PlannedTrial trial) {
    failed(trial);
    refused.add(trial.trial().number());
  }

  /** Returns the number of trials that this process finished. */
  int finished() {
    return finished;
  }

  /** Returns the number of trials of this process without a result. */
  int left() {
    return seen.size() - finished;
  }

  /** Returns the open trials, split by whether the host can run them now. */
  TrialQueue queue() {
    return queue;
  }

  /** Returns whether a resumed run would find nothing to run, failed trials included. */
  boolean isComplete() {
    return over || source.next(history(refused)).open().isEmpty();
  }

  /** An answer, its new trials, and how many of the earlier ones it leaves out. */
  private record Asked(TrialSource.Answer answer, List<PlannedTrial> added, int withdrawn) {}

  private Asked ask() {
    TrialHistory history = history(failed);
    TrialSource.Answer answer = source.next(history);
    refuseAmbiguous(answer.open());
    List<PlannedTrial> added = added(answer.open());
    List<String> withdrawn = withdrawn(history, answer.open());
    if (!added.isEmpty() || !withdrawn.isEmpty()) {
      JournalEvent event =
          JournalEvent.TrialsPlanned.of(sitting.now(), added, withdrawn, answer.reason());
      journal.append(event);
      record = record.with(event);
      plans.accept(event);
    }
    answer.open().forEach(one -> seen.add(one.trial().slug()));
    queue =
        TrialQueue.of(
            answer.open(),
            profile ->
                SettingsGuard.missingScheduler(hypervisor, sitting.experiment(), profile, settings),
            failedHere);
    return new Asked(answer, added, withdrawn.size());
  }

  private TrialHistory history(Set<Integer> without) {
    Duration elapsed = Duration.between(began, sitting.now());
    return TrialHistory.of(record, measured, without, elapsed, running);
  }

  /** Returns the trials that are not in the journal as planned. */
  private List<PlannedTrial> added(List<PlannedTrial> open) {
    return open.stream()
        .filter(planned -> !planned.equals(record.planned().get(planned.trial().slug())))
        .toList();
  }

  private static List<String> withdrawn(TrialHistory history, List<PlannedTrial> open) {
    Set<String> kept = open.stream().map(one -> one.trial().slug()).collect(Collectors.toSet());
    return history.open().stream()
        .map(one -> one.trial().slug())
        .filter(slug -> !kept.contains(slug))
        .toList();
  }

  private void announce(Asked asked) {
    List<PlannedTrial> added = asked.added();
    int more = added.size() - asked.withdrawn();
    if (searches()) {
      // Further attempts are reported one by one.
      more -= (int) added.stream().filter(one -> one.trial().attempt() > 1).count();
    }
    if (more != 0
        && (sitting.experiment().tuning().isPresent() || replacesBlocks() || searches())) {
      sitting.listener().trialsAdded(more);
    }
    for (PlannedTrial one : added) {
      int attempt = one.trial().attempt();
      if (attempt > 1) {
        sitting
            .listener()
            .queuedAgain(one.trial(), attempt - 1, sitting.experiment().limits().moreAttempts());
      }
    }
    if (added.isEmpty()) {
      return;
    }
    if (sitting.experiment().stop().isPresent()) {
      sitting
          .listener()
          .blockAdded(
              record.blocks(), added.size(), Precision.after(sitting.experiment(), measured));
    } else {
      announceMore(asked);
    }
  }

  /** Reports added trials and why; where they replace blocks, in a line that stays. */
  private void announceMore(Asked asked) {
    List<PlannedTrial> added = asked.added();
    if (asked.answer().reason().isEmpty()
        || added.stream().allMatch(one -> one.trial().attempt() > 1)) {
      return;
    }
    String unit = added.get(0).trial().session().isPresent() ? "window" : "trial";
    String text = "%s added: %s".formatted(Plural.of(added.size(), unit), asked.answer().reason());
    if (replacesBlocks() || searches()) {
      sitting.notice(text);
    } else {
      sitting.listener().remark(text);
    }
  }

  /** Returns whether the run consists of sessions of blocks that were planned beforehand. */
  private boolean replacesBlocks() {
    return sitting.experiment().design().isPresent()
        && sitting.experiment().tuning().isEmpty()
        && sitting.experiment().pairs().isEmpty();
  }

  /** Returns whether each round of trials follows from the results of those before. */
  private boolean searches() {
    return sitting.experiment().order().searches();
  }

  private int blocks() {
    return sitting.experiment().design().map(SessionDesign::blocks).orElse(0);
  }

  /** Rejects two profiles with the same name, which would count as one. */
  private void refuseAmbiguous(List<PlannedTrial> open) {
    Map<String, SchedulerProfile> known = new HashMap<>();
    sitting.experiment().profiles().forEach(profile -> known.put(profile.name(), profile));
    for (PlannedTrial one : open) {
      SchedulerProfile other = known.putIfAbsent(one.profile().name(), one.profile());
      if (other != null && !other.equals(one.profile())) {
        throw new IllegalStateException(
            "trial %s has other settings than profile %s"
                .formatted(one.trial().slug(), one.profile().name()));
      }
    }
  }

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
}
