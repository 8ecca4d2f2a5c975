package io.slicewise.host;

/** A set of pCPUs with its own scheduler; {@code scheduler} is the hypervisor's name for it. */
public record CpuPool(String name, int pcpus, String scheduler, int domains) {}
