package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.PlannedTrial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the host can run now, and what waits for a reboot into another scheduler. */
class TrialQueueTest {
  private static final SchedulerProfile HEAVY =
      new SchedulerProfile("heavy", Optional.of(Scheduler.SEDF), Map.of(), Map.of());

  private static PlannedTrial trial(int number, SchedulerProfile profile) {
    return new PlannedTrial(new Trial(number, 1, profile.name(), Load.of(5), 1), profile);
  }

  private static PlannedTrial window(int number, SchedulerProfile profile, int session) {
    PlannedTrial trial = trial(number, profile);
    return new PlannedTrial(trial.trial().at(new WindowPlace(session, 1, number)), profile);
  }

  private static OpenTrials.TrialQueue queue(PlannedTrial... open) {
    return OpenTrials.TrialQueue.of(List.of(open), SchedulerProfile::scheduler, Set.of());
  }

  @Test
  void aTrialWaitsByItself() {
    OpenTrials.TrialQueue queue = queue(trial(1, SchedulerProfile.AS_FOUND), trial(2, HEAVY));
    assertThat(queue.runnable()).containsExactly(trial(1, SchedulerProfile.AS_FOUND));
    assertThat(queue.waiting()).isEqualTo(Map.of(Scheduler.SEDF, 1));
  }

  @Test
  void aSessionWaitsAsAWhole() {
    PlannedTrial other = window(3, SchedulerProfile.AS_FOUND, 2);
    OpenTrials.TrialQueue queue =
        queue(window(1, SchedulerProfile.AS_FOUND, 1), window(2, HEAVY, 1), other);
    assertThat(queue.runnable()).containsExactly(other);
    assertThat(queue.waiting()).isEqualTo(Map.of(Scheduler.SEDF, 2));
  }
}
