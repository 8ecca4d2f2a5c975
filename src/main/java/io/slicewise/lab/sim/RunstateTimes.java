package io.slicewise.lab.sim;

/**
 * Where one vCPU's time went since it was made; the four times sum to its age.
 *
 * @param dispatches how often it was put on a pCPU
 */
public record RunstateTimes(
    long runningNanos, long runnableNanos, long blockedNanos, long offlineNanos, long dispatches) {}
