package io.slicewise.sweep.window;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.sweep.outcome.Outcomes;
import java.util.Map;

/**
 * A window that has ended but whose observations are not yet collected. They are collected during
 * the next window's wash-out.
 *
 * @param after settings read back at its end, or after the change if that differed from the request
 * @param outcome what its users experienced
 */
record OpenWindow(
    MeasuredWindow measured,
    Watches watches,
    Map<String, SchedulerParameters> asked,
    Map<String, SchedulerParameters> after,
    Outcomes.Ended outcome) {}
