package io.slicewise.host;

/**
 * A running domain as a listing showed it.
 *
 * @param name as printed; may hold blanks
 * @param id the domid; changes when a guest restarts
 * @param vcpus online vCPUs
 * @param cpuSeconds CPU time of all its vCPUs since it started, resolution 0.1 s
 * @param cpupool the pool it runs in; {@code Pool-0} where the host has no cpupools
 */
public record Domain(String name, int id, int vcpus, double cpuSeconds, String cpupool) {}
