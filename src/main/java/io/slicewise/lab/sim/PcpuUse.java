package io.slicewise.lab.sim;

/**
 * The use of a pCPU by a domain since its creation: the contents of a xenmon row.
 *
 * @param waitNanos runnable time, charged to the pCPU the vCPU was then put on
 */
public record PcpuUse(int pcpu, int domid, long runNanos, long waitNanos, long dispatches) {}
