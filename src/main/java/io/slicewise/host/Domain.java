package io.slicewise.host;

/**
 * A running domain from a listing.
 *
 * @param name as printed; may contain blanks
 * @param id the domid; changes when a guest restarts
 * @param vcpus online vCPUs
 * @param cpuSeconds CPU time of all its vCPUs since it started, resolution 0.1 s
 * @param cpupool its pool; {@code Pool-0} if the host has no cpupools
 */
public record Domain(String name, int id, int vcpus, double cpuSeconds, String cpupool) {}
