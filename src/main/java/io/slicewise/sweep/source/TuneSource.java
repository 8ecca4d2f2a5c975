package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.sweep.source.TrialSource.Retrying;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.Outcome;
import io.slicewise.tune.course.Situation;
import io.slicewise.tune.course.TuneCourse;
import io.slicewise.tune.course.TuneCourse.CourseStep;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The trials of a tune: its calibration, its race and its confirmation.
 *
 * @param nights the number of budgets that may be spent, including this night's
 */
public record TuneSource(Experiment experiment, Candidates candidates, int nights)
    implements TrialSource {
  /** The source of a tune's candidates. */
  public interface Candidates {
    /** Receives the host's judgement of profiles, before any is chosen. */
    default void judgedBy(Function<SchedulerProfile, Optional<String>> refusal) {}

    /** Returns whether the settings found must be measured before candidates are chosen. */
    boolean needCalibration();

    /**
     * Returns the candidates, the same at each call; empty before the host's settings are known.
     */
    Optional<CandidatePool> pool();
  }

  /**
   * Returns the source of a tune whose invalid trials are repeated, except windows of a session.
   */
  public static TrialSource of(Experiment experiment, Candidates candidates, int nights) {
    TrialSource source = new TuneSource(experiment, candidates, nights);
    return experiment.design().isPresent() ? source : new Retrying(source, experiment);
  }

  @Override
  public void judgedBy(Function<SchedulerProfile, Optional<String>> refusal) {
    candidates.judgedBy(refusal);
  }

  @Override
  public Answer next(TrialHistory history) {
    List<PlannedTrial> open =
        history.open().stream()
            .filter(one -> one.trial().attempt() == 1)
            .filter(one -> one.trial().session().filter(history::isOver).isEmpty())
            .toList();
    if (!open.isEmpty()) {
      return Answer.of(open);
    }
    Situation situation =
        new Situation(
            Outcome.of(history.planned(), history.measured()),
            history.nextNumber(),
            history::nextSession,
            history.running(),
            nights,
            history.sessionTimes());
    if (history.planned().isEmpty() && candidates.needCalibration()) {
      return new Answer(
          TuneCourse.calibration(experiment, situation),
          "the settings found are measured to calibrate the simulation");
    }
    return candidates
        .pool()
        .map(pool -> answer(new TuneCourse(experiment, pool, situation)))
        .orElseGet(() -> Answer.of(List.of()));
  }

  private static Answer answer(TuneCourse course) {
    CourseStep step = course.next();
    return new Answer(step.trials(), step.reason(), Optional.of(course.outlook()));
  }
}
