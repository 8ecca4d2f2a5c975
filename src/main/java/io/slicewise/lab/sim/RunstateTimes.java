package io.slicewise.lab.sim;

/**
 * The times of a vCPU by runstate since its creation; the four times sum to its age.
 *
 * @param dispatches number of dispatches
 */
public record RunstateTimes(
    long runningNanos, long runnableNanos, long blockedNanos, long offlineNanos, long dispatches) {}
