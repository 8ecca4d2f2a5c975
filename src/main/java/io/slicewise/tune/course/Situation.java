package io.slicewise.tune.course;

import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.journal.PlannedTrial;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The history of a tune and the next numbers.
 *
 * @param nextSession the session of a load in which windows can be planned
 * @param running the current session
 * @param nights the number of budgets that may be spent, including this night's
 * @param sessionTimes how long each ended session took
 */
public record Situation(
    List<Outcome> history,
    int nextNumber,
    Function<Load, SessionKey> nextSession,
    Optional<SessionKey> running,
    int nights,
    Map<SessionKey, Duration> sessionTimes) {
  public Situation {
    history = List.copyOf(history);
    sessionTimes = Map.copyOf(sessionTimes);
  }

  /** Returns a session of that load that has not started. */
  SessionKey freshSession(Load load) {
    SessionKey next = nextSession.apply(load);
    return running.filter(next::equals).isPresent()
        ? new SessionKey(load, next.number() + 1)
        : next;
  }

  /** Returns the number of blocks planned in a session. */
  int blocksOf(SessionKey session) {
    return history.stream()
        .map(Outcome::planned)
        .map(PlannedTrial::trial)
        .filter(trial -> trial.session().equals(Optional.of(session)))
        .mapToInt(trial -> trial.place().orElseThrow().block())
        .max()
        .orElse(0);
  }

  double spentTrials() {
    return history.stream().filter(one -> one.seconds() > 0).count();
  }
}
