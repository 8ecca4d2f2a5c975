package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.SchedulerParameters;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The weight-driven schedulers give what weights and caps promise to vCPUs that always want. */
class SharesProperties {
  private static final long SECOND = 1_000_000_000L;
  private static final long SPAN = 60 * SECOND;

  private static Machine burners(SchedulerOptions options, long seed, int pcpus, int domains) {
    Machine machine = new Machine(new MachineSpec(pcpus, options, seed));
    for (int domid = 1; domid <= domains; domid++) {
      machine.addDomain("d" + domid, domid, 1, Machine.POOL_0);
      machine.burn(domid, 0);
    }
    return machine;
  }

  private static double share(Machine machine, int domid) {
    return (double) machine.times(domid, 0).runningNanos() / machine.now();
  }

  @Property(tries = 30)
  void credit2DividesAPcpuByWeight(
      @ForAll @IntRange(min = 64, max = 1024) int first,
      @ForAll @IntRange(min = 64, max = 1024) int second) {
    Machine machine = burners(SchedulerOptions.Credit2.XEN_4_17, 1, 1, 2);
    machine.set(1, Credit2.of(first, 0));
    machine.set(2, Credit2.of(second, 0));
    machine.runUntil(SPAN);
    double ratio = (double) Math.max(first, second) / Math.min(first, second);
    // Beyond 1:10 the shortest slice of 1 ms is more than the light one's due.
    double tolerance = ratio <= 10 ? 0.01 : 0.04;
    assertThat(share(machine, 1)).isCloseTo((double) first / (first + second), within(tolerance));
  }

  /** Within what one timeslice in two accountings can be off, however the phases fall. */
  @Property(tries = 30)
  void creditDividesAPcpuByWeight(
      @ForAll @IntRange(min = 128, max = 512) int first,
      @ForAll @IntRange(min = 128, max = 512) int second,
      @ForAll long seed) {
    Machine machine = burners(SchedulerOptions.Credit.XEN_4_17, seed, 1, 2);
    machine.set(1, Credit.of(first, 0));
    machine.set(2, Credit.of(second, 0));
    machine.runUntil(SPAN);
    assertThat(share(machine, 1)).isCloseTo((double) first / (first + second), within(0.06));
  }

  @Property(tries = 30)
  void aCapHoldsUnderEitherScheduler(
      @ForAll boolean second, @ForAll @IntRange(min = 5, max = 90) int cap, @ForAll long seed) {
    SchedulerOptions options =
        second ? SchedulerOptions.Credit2.XEN_4_17 : SchedulerOptions.Credit.XEN_4_17;
    SchedulerParameters capped = second ? Credit2.of(256, cap) : Credit.of(256, cap);
    Machine machine = burners(options, seed, 2, 2);
    machine.set(1, capped);
    machine.runUntil(SPAN);
    assertThat(share(machine, 1)).isCloseTo(cap / 100.0, within(0.015));
    assertThat(share(machine, 2)).isGreaterThan(0.999);
  }

  @Property(tries = 20)
  void equalBurnersGetEqualSharesOfAllPcpus(
      @ForAll boolean second, @ForAll @IntRange(min = 2, max = 8) int domains, @ForAll long seed) {
    SchedulerOptions options =
        second ? SchedulerOptions.Credit2.XEN_4_17 : SchedulerOptions.Credit.XEN_4_17;
    Machine machine = burners(options, seed, 2, domains);
    machine.runUntil(SPAN);
    double sum = 0;
    for (int domid = 1; domid <= domains; domid++) {
      sum += share(machine, domid);
      assertThat(share(machine, domid)).isCloseTo(2.0 / domains, within(0.05));
    }
    assertThat(sum).isCloseTo(2, within(1e-9));
  }
}
