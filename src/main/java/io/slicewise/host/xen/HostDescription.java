package io.slicewise.host.xen;

import java.util.List;

/**
 * The host as found by probing.
 *
 * @param toolstack {@code xl} or {@code xm}
 * @param version {@code xen_major.xen_minor} and {@code xen_extra}, e.g. {@code 4.17.3}
 * @param bootScheduler Xen's name of Pool-0's scheduler
 * @param cpuMegahertz as {@code xl info} gives it; {@code NaN} if it does not
 */
public record HostDescription(
    String toolstack,
    XenVersion version,
    String release,
    int pcpus,
    double cpuMegahertz,
    String bootScheduler,
    List<Cpupool> cpupools) {
  public HostDescription {
    cpupools = List.copyOf(cpupools);
  }
}
