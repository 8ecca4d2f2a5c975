package io.slicewise.sweep;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.CutShort;
import io.slicewise.run.validity.TrialFacts.ThisMachine;
import io.slicewise.sweep.outcome.Outcomes;
import java.util.Map;
import java.util.Optional;

/**
 * A window that has ended but whose observations are not yet collected. They are collected during
 * the next window's wash-out.
 *
 * @param washOut from the change of settings to the start of the window
 * @param after settings read back at its end, or after the change if that differed from the request
 * @param outcome what its users experienced
 * @param cut why a guard ended it early
 */
record OpenWindow(
    Trial trial,
    StepTimer steps,
    Watches watches,
    Window washOut,
    Window window,
    Map<String, SchedulerParameters> asked,
    Map<String, SchedulerParameters> after,
    Outcomes.Ended outcome,
    ThisMachine machine,
    Optional<CutShort> cut) {}
