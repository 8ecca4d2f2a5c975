package io.slicewise.experiment;

import java.time.Duration;

/**
 * The durations of a trial's parts.
 *
 * @param ramp the time in which the users start; part of the warm-up
 * @param measure the measured window
 */
public record TrialParts(Duration ramp, Duration warmUp, Duration measure, Duration coolDown) {}
