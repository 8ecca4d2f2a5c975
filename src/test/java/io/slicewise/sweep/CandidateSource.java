package io.slicewise.sweep;

import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import io.slicewise.sweep.source.TrialHistory;
import io.slicewise.sweep.source.TrialSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A source that decides behind each block which weight is in the next one beside the settings
 * found, as a race does. It ends the session behind two blocks and has one more of one block.
 */
final class CandidateSource implements TrialSource {
  private static final int BLOCKS = 3;
  private static final int BLOCKS_OF_A_SESSION = 2;
  private static final String GUEST = "Apache_Server";
  private final int weight;

  /** The candidate of each block has twice the weight of the one before; the first, twice this. */
  CandidateSource(int weight) {
    this.weight = weight;
  }

  /** Returns a source that plans a trial of each weight at the start. */
  static TrialSource atOnce(int... weights) {
    List<PlannedTrial> all = new ArrayList<>();
    for (int weight : weights) {
      int number = all.size() + 1;
      SchedulerProfile profile = weight(weight);
      all.add(new PlannedTrial(new Trial(number, 1, profile.name(), Load.of(0), 1), profile));
    }
    return history -> Answer.of(history.open(all));
  }

  @Override
  public Answer next(TrialHistory history) {
    if (!history.open().isEmpty()) {
      return Answer.of(history.open());
    }
    int block =
        history.measured().stream().map(Measured::trial).mapToInt(Trial::block).max().orElse(0);
    if (block == BLOCKS) {
      return Answer.end("all candidates were measured");
    }
    SessionKey session =
        block == BLOCKS_OF_A_SESSION
            ? new SessionKey(Load.of(0), 2)
            : history.nextSession(Load.of(0));
    List<PlannedTrial> windows = new ArrayList<>();
    for (SchedulerProfile profile :
        List.of(SchedulerProfile.AS_FOUND, weight(weight << (block + 1)))) {
      int position = windows.size() + 1;
      Trial window =
          new Trial(
                  history.nextNumber() + windows.size(),
                  block + 1,
                  profile.name(),
                  session.load(),
                  profile.equals(SchedulerProfile.AS_FOUND) ? block + 1 : 1)
              .at(new WindowPlace(session.number(), block % BLOCKS_OF_A_SESSION + 1, position));
      windows.add(new PlannedTrial(window, profile));
    }
    return Answer.of(windows);
  }

  private static SchedulerProfile weight(int weight) {
    return new SchedulerProfile(
        "try-" + weight,
        Optional.of(Scheduler.CREDIT),
        Map.of(),
        Map.of(GUEST, Credit.of(weight, 0)));
  }
}
