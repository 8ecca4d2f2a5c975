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

  /** Returns Xen's command line. */
  public String commandLine(int dom0Vcpus) {
    String scheduler = bootScheduler.isEmpty() ? "" : "sched=" + bootScheduler + " ";
    return "dom0_mem=1024M dom0_max_vcpus=" + dom0Vcpus + " " + scheduler;
  }
}
