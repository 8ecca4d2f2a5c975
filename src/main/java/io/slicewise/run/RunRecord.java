package io.slicewise.run;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.host.GuestId;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.Scope;
import io.slicewise.profile.Split;
import io.slicewise.run.journal.DomainChange;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of a run, accumulated from its journal.
 *
 * @param found settings found, by scheduler and domain: the first line for each counts: the list of
 *     settings found, or the first change of a domain that started later
 * @param finished numbers of the trials with a result, valid or not
 * @param valid numbers of the trials with an attempt that was valid when it was made
 * @param planned all planned trials, by slug, except those that were removed by an edit of the
 *     experiment and did not run
 * @param failed reasons of trials whose last attempt failed, by number
 * @param blocks including those added to the experiment's repetitions, counted from the first; 0 if
 *     none were added
 * @param begun the start of each session, in order
 * @param sessionTimes how long each session took that ended, set-up and tear-down included
 * @param stopped why no more blocks were run; empty if that was not decided
 * @param changes what the run changed since the last restore, by domain
 * @param others what it changed and others changed after it, by domain
 * @param guests the guest of each name
 * @param last the outcome of the last process; empty if not recorded
 */
public record RunRecord(
    Map<Scheduler, Map<String, SchedulerParameters>> found,
    Set<Integer> finished,
    Set<Integer> valid,
    Map<String, PlannedTrial> planned,
    Map<Integer, JournalEvent.TrialFailed> failed,
    int blocks,
    Map<SessionKey, Instant> begun,
    Map<SessionKey, Duration> sessionTimes,
    Optional<JournalEvent.Stopped> stopped,
    Map<String, DomainChange> changes,
    Map<String, DomainChange> others,
    Map<String, GuestId> guests,
    Optional<JournalEvent.RunStarted> lastStart,
    Optional<JournalEvent.RunEnded> last) {
  public RunRecord {
    Map<Scheduler, Map<String, SchedulerParameters>> copy = new TreeMap<>(Schedulers.ORDER);
    found.forEach((scheduler, settings) -> copy.put(scheduler, inOrder(settings)));
    found = Collections.unmodifiableMap(copy);
    finished = Collections.unmodifiableSet(new TreeSet<>(finished));
    valid = Collections.unmodifiableSet(new TreeSet<>(valid));
    planned = inOrder(planned);
    failed = inOrder(failed);
    begun = inOrder(begun);
    sessionTimes = inOrder(sessionTimes);
    changes = Collections.unmodifiableMap(new TreeMap<>(changes));
    others = Collections.unmodifiableMap(new TreeMap<>(others));
    guests = inOrder(guests);
  }

  private static <K, V> Map<K, V> inOrder(Map<K, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  public static RunRecord of(List<JournalEvent> events) {
    Fold fold = new Fold();
    events.forEach(fold::take);
    return fold.record();
  }

  /** Returns the domains that the run changed and did not restore. */
  public Set<String> touched() {
    return changes.keySet();
  }

  /** Whether the host has settings of the run that are not meant to last, as an applied profile. */
  public boolean leavesHostChanged() {
    return !changes.isEmpty() && state() != RunState.DONE;
  }

  /** Returns the sessions that have begun, in order. */
  public Set<SessionKey> sessions() {
    return begun.keySet();
  }

  /** Returns the record after an event. */
  public RunRecord with(JournalEvent event) {
    Fold fold = new Fold();
    found.forEach((scheduler, settings) -> settings.forEach(fold::firstFoundWins));
    fold.finished.addAll(finished);
    fold.valid.addAll(valid);
    fold.planned.putAll(planned);
    fold.failed.putAll(failed);
    fold.blocks = blocks;
    fold.begun.putAll(begun);
    fold.sessionTimes.putAll(sessionTimes);
    fold.stopped = stopped.orElse(null);
    fold.changes.putAll(changes);
    fold.others.putAll(others);
    fold.guests.putAll(guests);
    fold.start = lastStart.orElse(null);
    fold.end = last.orElse(null);
    fold.take(event);
    return fold.record();
  }

  /**
   * Returns the planned trials of the run, by number, each once regardless of attempts. If they are
   * not in the journal, all trials of the run are in the experiment.
   */
  public List<Trial> trials(Experiment experiment) {
    if (planned.isEmpty() && experiment.order().searches()) {
      // A simulated search keeps no plan: its results decided which trials it has.
      int last = finished.stream().max(Comparator.naturalOrder()).orElse(0);
      return Plan.of(experiment, last / experiment.cells() + 1).stream()
          .filter(trial -> finished.contains(trial.number()))
          .toList();
    }
    return planned.isEmpty()
        ? Plan.of(experiment, Math.max(experiment.repetitions(), blocks))
        : planned.values().stream()
            .map(PlannedTrial::trial)
            .filter(trial -> trial.attempt() == 1)
            .sorted(Comparator.comparingInt(Trial::number))
            .toList();
  }

  /** Returns the experiment with the profiles that the run's source of trials added to it. */
  public Experiment extended(Experiment experiment) {
    return experiment.withProfiles(
        planned.values().stream().map(PlannedTrial::profile).distinct().toList());
  }

  /**
   * The state of the run; a start without an end means that a process is working on it or was
   * killed.
   */
  public RunState state() {
    return last.map(JournalEvent.RunEnded::state).orElse(RunState.RUNNING);
  }

  /** The settings that a domain had before this run, for a scheduler. */
  public Optional<SchedulerParameters> foundFor(Scheduler scheduler, String domain) {
    return Optional.ofNullable(found.getOrDefault(scheduler, Map.of()).get(domain));
  }

  /**
   * The settings that a domain had before this run: for a scheduler, or for the one it had then if
   * the run moved it under that scheduler.
   */
  public Optional<SchedulerParameters> originalOf(Scheduler scheduler, String domain) {
    return foundFor(scheduler, domain)
        .or(
            () ->
                found.values().stream()
                    .flatMap(all -> Optional.ofNullable(all.get(domain)).stream())
                    .findFirst());
  }

  private static final class Fold {
    private final Map<Scheduler, Map<String, SchedulerParameters>> found =
        new TreeMap<>(Schedulers.ORDER);
    private final Set<Integer> finished = new TreeSet<>();
    private final Set<Integer> valid = new TreeSet<>();
    private final Map<String, PlannedTrial> planned = new LinkedHashMap<>();
    private final Map<Integer, JournalEvent.TrialFailed> failed = new LinkedHashMap<>();
    private final Map<String, DomainChange> changes = new TreeMap<>();
    private final Map<String, DomainChange> others = new TreeMap<>();
    private final Map<String, GuestId> guests = new LinkedHashMap<>();
    private final Map<SessionKey, Instant> begun = new LinkedHashMap<>();
    private final Map<SessionKey, Duration> sessionTimes = new LinkedHashMap<>();
    private int blocks;
    private JournalEvent.Stopped stopped;
    private JournalEvent.RunStarted start;
    private JournalEvent.RunEnded end;

    void take(JournalEvent event) {
      if (event instanceof JournalEvent.RunStarted started) {
        start = started;
        end = null;
      } else if (event instanceof JournalEvent.RunEnded ended) {
        end = ended;
      } else if (event instanceof JournalEvent.TrialsPlanned more) {
        plan(more);
      } else if (event instanceof JournalEvent.SessionStarted session) {
        begun.put(session.session(), session.at());
      } else if (event instanceof JournalEvent.SessionEnded session
          && begun.containsKey(session.session())) {
        sessionTimes.put(
            session.session(), Duration.between(begun.get(session.session()), session.at()));
      } else if (event instanceof JournalEvent.Stopped why) {
        stopped = why;
      } else if (event instanceof JournalEvent.TrialFinished done) {
        finished.add(done.trial());
        if (done.valid()) {
          valid.add(done.trial());
        }
        failed.remove(done.trial());
      } else if (event instanceof JournalEvent.TrialFailed failure) {
        if (!valid.contains(failure.trial())) {
          failed.put(failure.trial(), failure);
        }
      } else {
        takeSettings(event);
      }
    }

    private void plan(JournalEvent.TrialsPlanned more) {
      more.withdrawn().forEach(planned::remove);
      failed.values().removeIf(failure -> more.withdrawn().contains(failure.slug()));
      more.planned().forEach(one -> planned.put(one.trial().slug(), one));
      if (!more.reason().isEmpty()) {
        more.trials().forEach(trial -> blocks = Math.max(blocks, trial.block()));
      }
      if (!more.reason().isEmpty() || !more.planned().isEmpty()) {
        stopped = null;
      }
    }

    private void takeSettings(JournalEvent event) {
      if (event instanceof JournalEvent.SettingsFound settings) {
        settings.settings().forEach(this::firstFoundWins);
      } else if (event instanceof JournalEvent.Applying applying) {
        // A domain that started during the run was not listed as found; its settings are recorded
        // here.
        if (found.values().stream().noneMatch(all -> all.containsKey(applying.domain()))) {
          firstFoundWins(applying.domain(), applying.from());
        }
        changes.merge(applying.domain(), DomainChange.of(applying), DomainChange::and);
        others.remove(applying.domain());
        if (Scope.SPLIT.has(applying.domain())) {
          Split.moved(applying.from(), applying.to()).forEach(this::moved);
        }
      } else if (event instanceof JournalEvent.ShownOtherwise otherwise) {
        changes.computeIfPresent(
            otherwise.domain(), (name, change) -> change.showing(otherwise.shown()));
      } else if (event instanceof JournalEvent.Restored restored) {
        changes.keySet().removeAll(restored.settings().keySet());
        others.keySet().removeAll(restored.settings().keySet());
        restored.complaints().keySet().forEach(this::stillChanged);
      } else if (event instanceof JournalEvent.LeftToOthers left) {
        left.domains()
            .keySet()
            .forEach(
                name ->
                    Optional.ofNullable(changes.remove(name))
                        .ifPresent(was -> others.put(name, was)));
      } else if (event instanceof JournalEvent.GuestsGone gone) {
        changes.keySet().removeAll(gone.guests().keySet());
      } else if (event instanceof JournalEvent.GuestsSeen seen) {
        seen.guests().forEach(this::takeGuest);
      }
    }

    private void stillChanged(String name) {
      found.values().stream()
          .flatMap(settings -> Optional.ofNullable(settings.get(name)).stream())
          .findFirst()
          .ifPresent(was -> changes.putIfAbsent(name, DomainChange.unknown(was)));
    }

    /** Xen gives a guest that changes its cpupool new settings and any pCPU of it. */
    private void moved(String guest) {
      for (String target : List.of(guest, Scope.PLACE.target(guest))) {
        changes.remove(target);
        stillChanged(target);
      }
    }

    private void takeGuest(String name, GuestId guest) {
      GuestId before = guests.put(name, guest);
      for (String target : List.of(name, Scope.PLACE.target(name))) {
        if (before != null && before.isGuest(guest) && !before.isSameLife(guest)) {
          changes.computeIfPresent(target, (same, change) -> change.afterRestart());
        }
        if (before != null && !before.isGuest(guest)) {
          changes.remove(target);
          others.remove(target);
          found.values().forEach(settings -> settings.remove(target));
        }
      }
    }

    RunRecord record() {
      return new RunRecord(
          found,
          finished,
          valid,
          planned,
          failed,
          blocks,
          begun,
          sessionTimes,
          Optional.ofNullable(stopped),
          changes,
          others,
          guests,
          Optional.ofNullable(start),
          Optional.ofNullable(end));
    }

    private void firstFoundWins(String domain, SchedulerParameters parameters) {
      found
          .computeIfAbsent(parameters.scheduler(), any -> new LinkedHashMap<>())
          .putIfAbsent(domain, parameters);
    }
  }
}
