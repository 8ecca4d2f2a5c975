package io.slicewise.lab.host;

import io.slicewise.host.HypervisorVersion;

/**
 * What the control domain knows of the machine it runs on.
 *
 * @param version the hypervisor's version
 * @param release the control domain's kernel release
 * @param kernel the kernel's build line, as {@code uname -v} gives it
 * @param cpuMegahertz the pCPUs' clock
 * @param memoryMib memory of the machine
 * @param bootScheduler what was asked for on Xen's command line; empty for none
 */
public record MachineIdentity(
    HypervisorVersion version,
    String name,
    String release,
    String kernel,
    double cpuMegahertz,
    long memoryMib,
    String bootScheduler) {

  /** Xen's command line. */
  public String commandLine(int dom0Vcpus) {
    String scheduler = bootScheduler.isEmpty() ? "" : "sched=" + bootScheduler + " ";
    return "dom0_mem=1024M dom0_max_vcpus=" + dom0Vcpus + " " + scheduler;
  }
}
