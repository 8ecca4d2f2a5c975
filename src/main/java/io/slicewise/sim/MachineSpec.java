package io.slicewise.sim;

/**
 * What a {@link Machine} is built from.
 *
 * @param pcpus number of pCPUs, 1..64; all of them start in Pool-0
 * @param boot scheduler of Pool-0
 * @param seed decides the phase of each pCPU's tick; the same seed gives the same trace
 */
public record MachineSpec(int pcpus, SchedulerOptions boot, long seed) {
  public MachineSpec {
    if (pcpus < 1 || pcpus > Long.SIZE) {
      throw new IllegalArgumentException(pcpus + " pCPUs is out of range 1.." + Long.SIZE);
    }
  }
}
