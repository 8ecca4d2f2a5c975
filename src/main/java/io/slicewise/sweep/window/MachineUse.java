package io.slicewise.sweep.window;

import io.slicewise.base.units.MachineTimes;
import io.slicewise.base.units.OwnProcesses;
import io.slicewise.experiment.Experiment;

/**
 * The CPU time that this machine has used, and the part of it that this program and its processes
 * used: the lab, its servers and the generator.
 *
 * @param ownTicks in the ticks of {@code machine}
 */
public record MachineUse(MachineTimes machine, double ownTicks) {
  public static MachineUse read() {
    return new MachineUse(MachineTimes.read(), OwnProcesses.ticks());
  }

  /**
   * Returns whether other work on this machine disturbs a run: where the lab runs here or the load
   * is made here. If the host itself is this machine, its guests cannot be distinguished from other
   * work.
   */
  public static boolean matters(Experiment experiment) {
    return experiment.lab().isPresent()
        || (experiment.workload().loads()
            && experiment.generators().isHere()
            && experiment.host().filter(host -> !host.isThisMachine()).isPresent());
  }

  /** Returns the share of this machine's CPU that other programs used since then, 0..1. */
  public double othersSince(MachineUse before) {
    double passed = machine.all() - before.machine.all();
    double own = (ownTicks - before.ownTicks) / passed;
    return Math.max(0, machine.busySince(before.machine) - own);
  }
}
