package io.slicewise.lab.sim;

import java.time.Duration;

/**
 * The specification of a {@link Machine}.
 *
 * @param pcpus number of pCPUs, 1..64; all of them start in Pool-0
 * @param boot scheduler of Pool-0
 * @param seed determines the phases of ticks and accounting, and the lateness of timers; the same
 *     seed gives the same trace
 * @param timerLateness mean lateness of the hypervisor's timers, exponentially distributed;
 *     practically zero on real hardware, but not in an emulator
 */
public record MachineSpec(int pcpus, SchedulerOptions boot, long seed, Duration timerLateness) {
  public MachineSpec {
    if (pcpus < 1 || pcpus > Long.SIZE) {
      throw new IllegalArgumentException(pcpus + " pCPUs is out of range 1.." + Long.SIZE);
    }
    if (timerLateness.isNegative()) {
      throw new IllegalArgumentException("timers cannot be early, by " + timerLateness);
    }
  }

  /** Returns a machine whose timers fire on time. */
  public MachineSpec(int pcpus, SchedulerOptions boot, long seed) {
    this(pcpus, boot, seed, Duration.ZERO);
  }
}
