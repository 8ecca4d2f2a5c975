package io.slicewise.sweep.source;

import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The planned and measured trials of a run so far.
 *
 * @param planned every planned trial in the journal, in order
 * @param measured every attempt that finished, in the order of its end (after a resume: of its
 *     number)
 * @param failed numbers of trials without a result that do not run again before a resume
 * @param blocks number of blocks, including added ones; 0 if none were added
 * @param elapsed time since the run began
 * @param sessions that have begun
 * @param running the current session of this process, the only one that can continue
 * @param sessionTimes how long each ended session took
 */
public record TrialHistory(
    List<PlannedTrial> planned,
    List<Measured> measured,
    Set<Integer> failed,
    int blocks,
    Duration elapsed,
    Set<SessionKey> sessions,
    Optional<SessionKey> running,
    Map<SessionKey, Duration> sessionTimes) {
  public TrialHistory {
    planned = List.copyOf(planned);
    measured = List.copyOf(measured);
    failed = Set.copyOf(failed);
    sessions = Set.copyOf(sessions);
    sessionTimes = Map.copyOf(sessionTimes);
  }

  /** Returns a history without sessions. */
  public TrialHistory(
      List<PlannedTrial> planned,
      List<Measured> measured,
      Set<Integer> failed,
      int blocks,
      Duration elapsed) {
    this(planned, measured, failed, blocks, elapsed, Set.of(), Optional.empty(), Map.of());
  }

  /** Returns the history of a run from its journal. */
  public static TrialHistory of(
      RunRecord record,
      List<Measured> measured,
      Set<Integer> failed,
      Duration elapsed,
      Optional<SessionKey> running) {
    return new TrialHistory(
        List.copyOf(record.planned().values()),
        measured,
        failed,
        record.blocks(),
        elapsed,
        record.sessions(),
        running,
        record.sessionTimes());
  }

  /** Returns every planned trial, as if none had run. */
  public static TrialHistory planned(RunRecord record) {
    return new TrialHistory(
        List.copyOf(record.planned().values()),
        List.of(),
        Set.of(),
        record.blocks(),
        Duration.ZERO);
  }

  /** Returns whether the session began and cannot continue. */
  public boolean isOver(SessionKey session) {
    return sessions.contains(session) && !running.equals(Optional.of(session));
  }

  /**
   * Returns the session of that load in which further windows can be planned: the current one,
   * otherwise the next that was neither planned nor begun.
   */
  public SessionKey nextSession(Load load) {
    if (running.filter(session -> session.load().equals(load)).isPresent()) {
      return running.get();
    }
    int last =
        Stream.concat(
                sessions.stream(), planned.stream().flatMap(one -> one.trial().session().stream()))
            .filter(session -> session.load().equals(load))
            .mapToInt(SessionKey::number)
            .max()
            .orElse(0);
    return new SessionKey(load, last + 1);
  }

  /** Returns the lowest number above those of all trials that were planned, ran or failed. */
  public int nextNumber() {
    return Stream.of(
                planned.stream().map(one -> one.trial().number()),
                measured.stream().map(one -> one.trial().number()),
                failed.stream())
            .flatMap(numbers -> numbers)
            .max(Integer::compare)
            .orElse(0)
        + 1;
  }

  /** Returns the planned trials that have not ended. */
  public List<PlannedTrial> open() {
    return open(planned);
  }

  /** Returns the trials that have neither a result nor failed. */
  public List<PlannedTrial> open(List<PlannedTrial> trials) {
    Set<Integer> finished =
        measured.stream().map(one -> one.trial().number()).collect(Collectors.toSet());
    return trials.stream()
        .filter(one -> !finished.contains(one.trial().number()))
        .filter(one -> !failed.contains(one.trial().number()))
        .toList();
  }

  /** Returns the finished attempts by the number of their trial. */
  Map<Integer, List<Measured>> attempts() {
    return measured.stream().collect(Collectors.groupingBy(one -> one.trial().number()));
  }

  /** Returns this history with only some of its results. */
  public TrialHistory measured(Predicate<Measured> which) {
    return new TrialHistory(
        planned,
        measured.stream().filter(which).toList(),
        failed,
        blocks,
        elapsed,
        sessions,
        running,
        sessionTimes);
  }
}
