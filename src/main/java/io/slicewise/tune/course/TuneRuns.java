package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import java.util.List;
import java.util.Optional;

/** Reads tunes from run directories. */
public final class TuneRuns {
  private TuneRuns() {}

  /** Returns the candidates of a run; empty if it has not chosen any or is not a tune. */
  public static Optional<CandidatePool> pool(RunDirectory run) {
    return RunDirectory.readWhole(run.root().resolve(CandidatePool.FILE), CandidatePool.class);
  }

  /** Returns the course of a run so far; empty if it is not a tune or has only just started. */
  public static Optional<TuneCourse> course(LoadedRun run) {
    Experiment experiment = run.experiment();
    if (experiment.tuning().isEmpty()) {
      return Optional.empty();
    }
    List<PlannedTrial> planned = List.copyOf(run.record().planned().values());
    List<Measured> measured = run.results().stream().map(Measured::of).toList();
    return pool(run.directory())
        .map(
            pool ->
                new TuneCourse(
                    experiment,
                    pool,
                    new Situation(
                        Outcome.of(planned, measured),
                        planned.size() + 1,
                        load -> new SessionKey(load, 1),
                        Optional.empty(),
                        nights(run.events()),
                        run.record().sessionTimes())));
  }

  /**
   * Returns the number of budgets that a process resuming the run now may spend, including earlier
   * ones.
   */
  public static int nights(List<JournalEvent> events) {
    boolean stopped =
        events.stream()
            .filter(
                event ->
                    event instanceof JournalEvent.Stopped
                        || event instanceof JournalEvent.RunStarted)
            .reduce((before, last) -> last)
            .filter(JournalEvent.Stopped.class::isInstance)
            .isPresent();
    return Math.max(1, JournalEvent.nights(events).size()) + (stopped ? 1 : 0);
  }
}
