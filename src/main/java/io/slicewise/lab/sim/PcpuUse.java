package io.slicewise.lab.sim;

/**
 * What one domain did on one pCPU since it was made: the stuff of a xenmon row.
 *
 * @param waitNanos runnable time, charged to the pCPU the vCPU was then put on
 */
public record PcpuUse(int pcpu, int domid, long runNanos, long waitNanos, long dispatches) {}
