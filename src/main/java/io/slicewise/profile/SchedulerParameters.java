package io.slicewise.profile;

import java.time.Duration;
import java.util.List;

/**
 * What can be set for one domain, by scheduler. Every component is given: what a profile leaves out
 * is filled with Xen's default when the profile is read, so that two profiles never differ by what
 * happened to be set before.
 */
public sealed interface SchedulerParameters {
  Scheduler scheduler();

  /**
   * Credit scheduler.
   *
   * @param weight share relative to other domains, 1..65535, default 256
   * @param cap ceiling in percent of one pCPU, 0..100 × vCPUs; 0 = no cap
   */
  record Credit(int weight, int cap) implements SchedulerParameters {
    @Override
    public Scheduler scheduler() {
      return Scheduler.CREDIT;
    }
  }

  /** Credit2 scheduler; weight and cap as for {@link Credit}. */
  record Credit2(int weight, int cap) implements SchedulerParameters {
    @Override
    public Scheduler scheduler() {
      return Scheduler.CREDIT2;
    }
  }

  /**
   * sEDF scheduler (Xen up to 4.5): each vCPU gets {@code slice} in each {@code period}.
   *
   * @param weight 0 for period/slice; &gt; 0 shares time by weight instead and ignores both
   */
  record Sedf(Duration period, Duration slice, Duration latency, boolean extratime, int weight)
      implements SchedulerParameters {
    @Override
    public Scheduler scheduler() {
      return Scheduler.SEDF;
    }
  }

  /** RTDS scheduler: each vCPU gets {@code budget} in each {@code period}, both at least 10 µs. */
  record Rtds(Duration period, Duration budget, boolean extratime) implements SchedulerParameters {
    @Override
    public Scheduler scheduler() {
      return Scheduler.RTDS;
    }
  }

  /**
   * RTDS with settings that differ between a domain's vCPUs. No profile asks for this; it is found
   * on hosts and has to be put back.
   *
   * @param vcpus by vCPU number
   */
  record RtdsByVcpu(List<Rtds> vcpus) implements SchedulerParameters {
    public RtdsByVcpu {
      vcpus = List.copyOf(vcpus);
    }

    @Override
    public Scheduler scheduler() {
      return Scheduler.RTDS;
    }
  }
}
