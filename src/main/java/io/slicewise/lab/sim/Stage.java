package io.slicewise.lab.sim;

/** One step of a request: a CPU burst on one domain. */
public record Stage(int domid, long burstNanos) {}
