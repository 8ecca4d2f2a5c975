package io.slicewise.lab.sim;

import java.util.SortedSet;

/**
 * A snapshot of a vCPU.
 *
 * @param pcpu the pCPU it runs on, or last ran or queued on
 * @param affinity hard affinity; all of the machine's pCPUs if it is not pinned
 */
public record VcpuView(
    int domid, int vcpu, Runstate state, int pcpu, SortedSet<Integer> affinity) {}
