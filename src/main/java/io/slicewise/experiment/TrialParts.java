package io.slicewise.experiment;

import java.time.Duration;

/**
 * How long the parts of a trial last.
 *
 * @param ramp over which the users start; part of the warm-up
 * @param measure the measured window
 */
public record TrialParts(Duration ramp, Duration warmUp, Duration measure, Duration coolDown) {}
