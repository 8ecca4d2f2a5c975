package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.experiment.SessionKey;
import io.slicewise.run.PlannedTrial;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The history of a tune and the next numbers.
 *
 * @param nextSession the session of a load in which windows can be planned
 * @param running the current session
 * @param nights the number of budgets that may be spent, including this night's
 */
public record Situation(
    List<Outcome> history,
    int nextNumber,
    Function<Load, SessionKey> nextSession,
    Optional<SessionKey> running,
    int nights) {
  public Situation {
    history = List.copyOf(history);
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

  /**
   * Returns the time spent on trials, including their steps and, for sessions, the warm-up at the
   * start.
   */
  double spentSeconds(Experiment experiment) {
    long sessions =
        history.stream().flatMap(one -> one.trial().session().stream()).distinct().count();
    return history.stream().mapToDouble(Outcome::seconds).sum()
        + sessions * experiment.warmUp().toNanos() / 1e9;
  }

  double spentTrials() {
    return history.stream().filter(one -> one.seconds() > 0).count();
  }
}
