package io.slicewise.lab.sim;

import java.time.Duration;

/**
 * What a {@link Machine} is built from.
 *
 * @param pcpus number of pCPUs, 1..64; all of them start in Pool-0
 * @param boot scheduler of Pool-0
 * @param seed decides the phases of ticks and accounting, and how late timers are; the same seed
 *     gives the same trace
 * @param timerLateness mean time by which the hypervisor's timers fire late, exponentially
 *     distributed; zero on real hardware, to all intents, but not under an emulator
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

  /** A machine whose timers fire when they are due. */
  public MachineSpec(int pcpus, SchedulerOptions boot, long seed) {
    this(pcpus, boot, seed, Duration.ZERO);
  }
}
