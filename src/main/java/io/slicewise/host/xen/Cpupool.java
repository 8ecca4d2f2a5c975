package io.slicewise.host.xen;

/** A set of pCPUs with a scheduler of its own; {@code scheduler} is Xen's name for it. */
public record Cpupool(String name, int pcpus, String scheduler, int domains) {}
