package io.slicewise.lab.sim;

/** A domain as it stands. */
public record DomainView(int domid, String name, int vcpus, String pool, boolean paused) {}
