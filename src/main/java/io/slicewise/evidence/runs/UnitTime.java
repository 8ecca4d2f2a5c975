package io.slicewise.evidence.runs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.slicewise.evidence.analysis.Basis;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionDesign;
import java.time.Duration;
import java.util.Optional;

/**
 * The time needed for one more unit of evidence.
 *
 * @param block of a session: a window of every profile
 * @param session at one load
 */
@JsonInclude(Include.NON_ABSENT)
public record UnitTime(Duration trial, Optional<Duration> block, Optional<Duration> session) {
  /** Returns the times of an experiment; a computed wash-out counts with its minimum. */
  public static UnitTime of(Experiment experiment) {
    Duration trial = Plan.trialTime(experiment);
    Optional<SessionDesign> design = experiment.design();
    Optional<Duration> block =
        design.map(
            sessions ->
                sessions
                    .washOut()
                    .orElse(SessionDesign.LEAST_WASH_OUT)
                    .plus(sessions.window())
                    .multipliedBy(experiment.profiles().size()));
    return new UnitTime(
        trial,
        block,
        design.map(
            sessions ->
                block
                    .orElseThrow()
                    .multipliedBy(sessions.blocks())
                    .plus(experiment.warmUp())
                    .plus(experiment.coolDown())));
  }

  /** Returns the time of that many more units of a basis; for trials, both cells need one. */
  public Duration of(Basis basis, int more) {
    return switch (basis) {
      case TRIALS, BLOCKS, PAIRS -> trial.multipliedBy(2L * more);
      case SESSION_BLOCKS -> block.orElse(trial).multipliedBy(more);
      case SESSIONS, SEPARATE_SESSIONS -> session.orElse(trial).multipliedBy(more);
    };
  }
}
