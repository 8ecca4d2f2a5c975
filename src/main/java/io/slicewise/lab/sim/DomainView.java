package io.slicewise.lab.sim;

/** A snapshot of a domain. */
public record DomainView(int domid, String name, int vcpus, String pool, boolean paused) {}
