package io.slicewise.host;

/**
 * A set of pCPUs with a scheduler of its own; {@code scheduler} is the hypervisor's name for it.
 */
public record CpuPool(String name, int pcpus, String scheduler, int domains) {}
