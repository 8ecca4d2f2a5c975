package io.slicewise.run.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostState;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.run.result.TrialResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One line of the journal: an event of the run. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JournalEvent.Placed.class, name = "placed"),
  @JsonSubTypes.Type(value = JournalEvent.RunStarted.class, name = "run-started"),
  @JsonSubTypes.Type(value = JournalEvent.Designed.class, name = "designed"),
  @JsonSubTypes.Type(value = JournalEvent.Durable.class, name = "durable"),
  @JsonSubTypes.Type(value = JournalEvent.SettingsFound.class, name = "settings-found"),
  @JsonSubTypes.Type(value = JournalEvent.GuestsSeen.class, name = "guests-seen"),
  @JsonSubTypes.Type(value = JournalEvent.GuestsGone.class, name = "guests-gone"),
  @JsonSubTypes.Type(value = JournalEvent.PlacesSeen.class, name = "places-seen"),
  @JsonSubTypes.Type(value = JournalEvent.Applying.class, name = "applying"),
  @JsonSubTypes.Type(value = JournalEvent.ShownOtherwise.class, name = "shown-otherwise"),
  @JsonSubTypes.Type(value = JournalEvent.LeftToOthers.class, name = "left-to-others"),
  @JsonSubTypes.Type(value = JournalEvent.TrialStarted.class, name = "trial-started"),
  @JsonSubTypes.Type(value = JournalEvent.TrialFinished.class, name = "trial-finished"),
  @JsonSubTypes.Type(value = JournalEvent.TrialFailed.class, name = "trial-failed"),
  @JsonSubTypes.Type(value = JournalEvent.TrialAborted.class, name = "trial-aborted"),
  @JsonSubTypes.Type(value = JournalEvent.TrialsPlanned.class, name = "trials-planned"),
  @JsonSubTypes.Type(value = JournalEvent.SessionStarted.class, name = "session-started"),
  @JsonSubTypes.Type(value = JournalEvent.SessionEnded.class, name = "session-ended"),
  @JsonSubTypes.Type(value = JournalEvent.Stopped.class, name = "stopped"),
  @JsonSubTypes.Type(value = JournalEvent.HostLost.class, name = "host-lost"),
  @JsonSubTypes.Type(value = JournalEvent.Restored.class, name = "restored"),
  @JsonSubTypes.Type(value = JournalEvent.DeadManArmed.class, name = "dead-man-armed"),
  @JsonSubTypes.Type(value = JournalEvent.DeadManFired.class, name = "dead-man-fired"),
  @JsonSubTypes.Type(value = JournalEvent.DeadManEnded.class, name = "dead-man-ended"),
  @JsonSubTypes.Type(value = JournalEvent.TrialLost.class, name = "trial-lost"),
  @JsonSubTypes.Type(value = JournalEvent.Repaired.class, name = "repaired"),
  @JsonSubTypes.Type(value = JournalEvent.RunEnded.class, name = "run-ended")
})
public sealed interface JournalEvent {
  Instant at();

  /** Returns the events of one kind, in their order. */
  static <E extends JournalEvent> Stream<E> of(List<JournalEvent> events, Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast);
  }

  /**
   * Returns when each night of a run began: a process that takes it up after it was stopped begins
   * another one.
   */
  static List<Instant> nights(List<JournalEvent> events) {
    List<Instant> nights = new ArrayList<>();
    boolean stopped = true;
    for (JournalEvent event : events) {
      if (event instanceof Stopped) {
        stopped = true;
      } else if (stopped && event instanceof RunStarted) {
        nights.add(event.at());
        stopped = false;
      }
    }
    return nights;
  }

  /** The run received its identity and its place; the last such line is valid. */
  record Placed(Instant at, RunPlace place) implements JournalEvent {}

  /** A process started or resumed the run. */
  record RunStarted(Instant at, String machine, long process, String version, String host)
      implements JournalEvent {}

  /** The design of the run from here on, as far as it is new. */
  record Designed(Instant at, Map<String, String> facts) implements JournalEvent {}

  /** All settings of this journal are those that the platform keeps for a guest's next start. */
  record Durable(Instant at) implements JournalEvent {}

  /** The settings found before this run changed any; for each domain the first line wins. */
  record SettingsFound(Instant at, Map<String, SchedulerParameters> settings)
      implements JournalEvent {}

  /**
   * The guests behind the names from here on. Settings that were found and changed under a name
   * that belonged to another guest are obsolete: that guest no longer runs.
   */
  record GuestsSeen(Instant at, Map<String, GuestId> guests) implements JournalEvent {}

  /** Changed guests that no longer run, by name, each with a sentence; nothing is restored. */
  record GuestsGone(Instant at, Map<String, String> guests) implements JournalEvent {}

  /**
   * Guests and pools as they were when the first trial of the run began, or the first one since the
   * host was rebooted: every later trial is compared with them, whichever process runs it.
   */
  record PlacesSeen(Instant at, HostState state) implements JournalEvent {}

  /** A setting is about to be changed. */
  record Applying(Instant at, String domain, SchedulerParameters from, SchedulerParameters to)
      implements JournalEvent {}

  /** The host shows something else than what was just set. */
  record ShownOtherwise(Instant at, String domain, SchedulerParameters shown)
      implements JournalEvent {}

  /**
   * Domains that were not restored because someone else set other values since, each with a
   * sentence. The values belong to whoever set them.
   */
  record LeftToOthers(Instant at, Map<String, String> domains) implements JournalEvent {}

  record TrialStarted(Instant at, int trial, String slug) implements JournalEvent {}

  /**
   * The trial's directory is complete and its {@code trial.json} is on disk.
   *
   * @param record the checksum that {@code trial.json} carries
   */
  record TrialFinished(Instant at, int trial, String slug, boolean valid, String record)
      implements JournalEvent {
    /** Returns the event for a result on disk, in a record with that checksum. */
    public static TrialFinished of(Instant at, TrialResult result, String sum) {
      return new TrialFinished(
          at, result.trial().number(), result.trial().slug(), result.valid(), sum);
    }
  }

  /** The record of a finished trial turned out to be damaged; the trial no longer counts. */
  record TrialLost(Instant at, int trial, String slug, String reason) implements JournalEvent {}

  /**
   * The journal was rebuilt.
   *
   * @param settingsInDoubt whether lines about the host's settings may be missing
   * @param damages what was wrong, in sentences
   */
  record Repaired(Instant at, boolean settingsInDoubt, List<String> damages)
      implements JournalEvent {
    public Repaired {
      damages = List.copyOf(damages);
    }
  }

  record TrialFailed(Instant at, int trial, String slug, String reason) implements JournalEvent {}

  /** The trial was interrupted; it has no result and will run again. */
  record TrialAborted(Instant at, int trial, String slug, String reason) implements JournalEvent {}

  /**
   * Planned trials with their settings.
   *
   * @param trials in their order
   * @param profiles of these trials, each once
   * @param withdrawn slugs of previously planned trials that will not run, because the experiment
   *     was edited
   * @param reason the measurements that led to these trials; empty if none did
   * @param purpose of all these trials
   */
  record TrialsPlanned(
      Instant at,
      List<Trial> trials,
      List<SchedulerProfile> profiles,
      List<String> withdrawn,
      String reason,
      Purpose purpose)
      implements JournalEvent {
    public TrialsPlanned {
      trials = List.copyOf(trials);
      profiles = List.copyOf(profiles);
      withdrawn = List.copyOf(withdrawn);
    }

    public static TrialsPlanned of(
        Instant at, List<PlannedTrial> planned, List<String> withdrawn, String reason) {
      return new TrialsPlanned(
          at,
          planned.stream().map(PlannedTrial::trial).toList(),
          planned.stream().map(PlannedTrial::profile).distinct().toList(),
          withdrawn,
          reason,
          planned.stream().map(PlannedTrial::purpose).findFirst().orElse(Purpose.PLAN));
    }

    /** Returns the trials, each with its profile. */
    public List<PlannedTrial> planned() {
      Map<String, SchedulerProfile> byName = new HashMap<>();
      profiles.forEach(profile -> byName.put(profile.name(), profile));
      return trials.stream()
          .map(trial -> new PlannedTrial(trial, byName.get(trial.profile()), purpose))
          .toList();
    }
  }

  /** A session begins: its workload, generator and observers are about to be started. */
  record SessionStarted(Instant at, SessionKey session) implements JournalEvent {}

  /**
   * A session ended; it is never continued.
   *
   * @param washOut before its windows; empty if it ended before the first
   * @param reason why it ended early; empty if all its windows ran
   */
  record SessionEnded(Instant at, SessionKey session, Optional<Duration> washOut, String reason)
      implements JournalEvent {}

  /** No further block will run. */
  record Stopped(Instant at, int blocks, String reason) implements JournalEvent {}

  record HostLost(Instant at, String reason) implements JournalEvent {}

  /**
   * Settings were restored and verified; {@code complaints} by domain is empty if all succeeded.
   */
  record Restored(
      Instant at, Map<String, SchedulerParameters> settings, Map<String, String> complaints)
      implements JournalEvent {}

  /**
   * A dead man's switch is about to be started on the host.
   *
   * @param name of its directory on the host
   * @param limit without a heartbeat after which it restores
   * @param domains that it restores, in the order of its receipt
   */
  record DeadManArmed(Instant at, String name, Duration limit, List<String> domains)
      implements JournalEvent {
    public DeadManArmed {
      domains = List.copyOf(domains);
    }
  }

  /** A dead man's switch acted on its own; the sentence says what it did. */
  record DeadManFired(Instant at, String name, String sentence) implements JournalEvent {}

  /** A dead man's switch is no longer on the host, without having acted. */
  record DeadManEnded(Instant at, String name, String reason) implements JournalEvent {}

  record RunEnded(Instant at, RunState state, String sentence) implements JournalEvent {}
}
