package io.slicewise.sweep;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.FinishedLoad;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.TrialLoad;
import io.slicewise.run.TrialSamples;
import io.slicewise.workload.Workload;
import java.util.Map;
import java.util.Optional;

/**
 * A window that has ended and of which everything is known but what its observers saw. They are
 * asked while the next window's wash-out goes on.
 *
 * @param washOut from the change of settings to the start of the window
 * @param after what was read back at its end, or behind the change where that was not what was
 *     asked
 * @param load its samples; empty when nothing is loaded
 */
record OpenWindow(
    Trial trial,
    StepTimer steps,
    Watches watches,
    Window washOut,
    Window window,
    Map<String, SchedulerParameters> asked,
    Map<String, SchedulerParameters> after,
    Optional<FinishedLoad> load,
    double labLatenessMillis) {

  TrialLoad reduced(Workload workload) {
    return load.map(done -> TrialSamples.load(done, window, workload)).orElse(TrialLoad.NONE);
  }
}
