package io.slicewise.sweep;

import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import io.slicewise.sweep.source.TrialHistory;
import io.slicewise.sweep.source.TrialSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A source that doubles a guest's weight until the guest runs at least 72 % of the time. Its
 * profiles are in no experiment file: each follows from what the one before it measured. As a
 * program it runs an experiment by this source, so that a test can kill it.
 */
final class ClimbingSource implements TrialSource {
  private static final String GUEST = "Apache_Server";
  private static final double ENOUGH = 0.72;
  private static final int MOST_BLOCKS = 4;

  public static void main(String[] arguments) {
    LocalSweep.of(ExperimentFiles.read(Path.of(arguments[0])))
        .begin(Path.of(arguments[1]))
        .from(new ClimbingSource())
        .execute();
  }

  @Override
  public Answer next(TrialHistory history) {
    if (!history.open().isEmpty()) {
      return Answer.of(history.open());
    }
    Optional<Measured> last = history.measured().stream().reduce((earlier, later) -> later);
    double runs = last.map(one -> one.value("run share of " + GUEST) / 100).orElse(0.0);
    int block = last.map(one -> one.trial().block() + 1).orElse(1);
    String reason = String.format(Locale.ROOT, "%s runs %.0f %%", GUEST, 100 * runs);
    return runs >= ENOUGH || block > MOST_BLOCKS
        ? Answer.end(reason)
        : new Answer(
            List.of(
                trial(2 * block - 1, block, SchedulerProfile.AS_FOUND),
                trial(2 * block, block, weight(256 << block))),
            block == 1 ? "" : reason);
  }

  private static PlannedTrial trial(int number, int block, SchedulerProfile profile) {
    return new PlannedTrial(new Trial(number, block, profile.name(), Load.of(0), block), profile);
  }

  private static SchedulerProfile weight(int weight) {
    return new SchedulerProfile(
        "w" + weight, Optional.of(Scheduler.CREDIT), Map.of(), Map.of(GUEST, Credit.of(weight, 0)));
  }
}
