package io.slicewise.lab.host;

import io.slicewise.host.HypervisorVersion;

/**
 * The control domain's information about its machine.
 *
 * @param version the hypervisor's version
 * @param release the control domain's kernel release
 * @param kernel the kernel's build line, as printed by {@code uname -v}
 * @param cpuMegahertz the pCPUs' clock rate
 * @param memoryMib memory of the machine
 * @param bootScheduler the scheduler named on Xen's command line, or empty for none
 */
public record MachineIdentity(
    HypervisorVersion version,
    String name,
    String release,
    String kernel,
    double cpuMegahertz,
    long memoryMib,
    String bootScheduler) {
  /** The clock rate of every machine of the lab. */
  public static final double MEGAHERTZ = 2400.0;

  /** The build line of a kernel of today. */
  public static final String DEBIAN_KERNEL = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)";

  /** Returns a machine without Xen. */
  public static MachineIdentity linux(
      HypervisorVersion version, String name, String release, long memoryMib) {
    return new MachineIdentity(version, name, release, DEBIAN_KERNEL, MEGAHERTZ, memoryMib, "");
  }

  /** Returns Xen's command line. */
  public String commandLine(int dom0Vcpus) {
    String scheduler = bootScheduler.isEmpty() ? "" : "sched=" + bootScheduler + " ";
    return "dom0_mem=1024M dom0_max_vcpus=" + dom0Vcpus + " " + scheduler;
  }
}
