package io.slicewise.lab.host;

import io.slicewise.profile.Scheduler;

/** The hypervisor's console as {@code xl dmesg} shows it after boot. */
public final class ConsoleRing {
  private ConsoleRing() {}

  /** Returns the lines of a boot, with a warning if the requested scheduler is not built in. */
  public static String text(MachineIdentity identity, Hypercalls hypercalls) {
    Scheduler active = hypercalls.pools().get(0).scheduler();
    int dom0Vcpus = hypercalls.domains().get(0).vcpus().size();
    StringBuilder text = new StringBuilder();
    line(text, "Xen version " + identity.version() + " (root@" + identity.name() + ")");
    line(text, "Command line: " + identity.commandLine(dom0Vcpus));
    String asked = identity.bootScheduler();
    if (!asked.isEmpty() && !asked.equals(active.xenName())) {
      line(text, "Could not find scheduler: " + asked);
      line(text, "Using '" + longName(active) + "' (" + active.xenName() + ")");
    }
    line(text, "Using scheduler: " + longName(active) + " (" + active.xenName() + ")");
    if (active == Scheduler.CREDIT2) {
      line(text, "Initializing Credit2 scheduler");
    }
    line(text, "Brought up " + hypercalls.pcpus() + " CPUs");
    if (identity.version().atLeast(4, 13)) {
      line(text, "Scheduling granularity: cpu, 1 CPU per sched-resource");
    }
    line(text, "Dom0 has maximum " + dom0Vcpus + " VCPUs");
    return text.toString();
  }

  private static void line(StringBuilder text, String words) {
    text.append("(XEN) ").append(words).append('\n');
  }

  private static String longName(Scheduler scheduler) {
    return switch (scheduler.xenName()) {
      case "credit" -> "SMP Credit Scheduler";
      case "credit2" -> "SMP Credit Scheduler rev2";
      case "sedf" -> "Simple EDF Scheduler";
      case "rtds" -> "SMP RTDS Scheduler";
      case "arinc653" -> "ARINC 653 Scheduler";
      default -> scheduler.xenName() + " Scheduler";
    };
  }
}
