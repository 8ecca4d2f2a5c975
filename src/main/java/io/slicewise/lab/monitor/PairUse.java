package io.slicewise.lab.monitor;

/**
 * The activity of a domain on a pCPU in an interval, in nanoseconds.
 *
 * @param domid {@link Xenbaked#IDLE} for the idle domain
 * @param vcpuIds the sum of the vCPU numbers at each dispatch, which newer xenbaked mistakes for
 *     time
 */
record PairUse(
    int pcpu, int domid, long run, long blocked, long waited, long dispatches, long vcpuIds) {}
