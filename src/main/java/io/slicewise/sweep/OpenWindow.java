package io.slicewise.sweep;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.FinishedLoad;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.TrialLoad;
import io.slicewise.run.TrialSamples;
import io.slicewise.run.validity.TrialFacts.ThisMachine;
import io.slicewise.workload.Workload;
import java.util.Map;
import java.util.Optional;

/**
 * A window that has ended but whose observations are not yet collected. They are collected during
 * the next window's wash-out.
 *
 * @param washOut from the change of settings to the start of the window
 * @param after settings read back at its end, or after the change if that differed from the request
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
    ThisMachine machine) {

  TrialLoad reduced(Workload workload) {
    return load.map(done -> TrialSamples.load(done, window, workload)).orElse(TrialLoad.NONE);
  }
}
