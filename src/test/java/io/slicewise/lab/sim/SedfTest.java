package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** sEDF's defaults, its two kinds of weights, spare time, and what it does to those that block. */
class SedfTest {
  private static final long MILLI = 1_000_000;

  private static Machine machine(SchedulerOptions.Sedf options, int domains) {
    Machine machine = new Machine(new MachineSpec(2, options, 1));
    for (int domid = 0; domid <= domains; domid++) {
      machine.addDomain("d" + domid, domid, 1, Machine.POOL_0);
    }
    return machine;
  }

  private static SchedulerParameters of(
      long periodMillis, long sliceMillis, boolean extratime, int weight) {
    return Sedf.of(
        Duration.ofMillis(periodMillis),
        Duration.ofMillis(sliceMillis),
        Duration.ZERO,
        extratime,
        weight);
  }

  private static double share(Machine machine, int domid) {
    return (double) machine.times(domid, 0).runningNanos() / machine.now();
  }

  @Test
  void startsWithTheDefaultsOfItsVersion() {
    Machine old = machine(SchedulerOptions.Sedf.XEN_4_1, 1);
    assertThat(old.parameters(0)).isEqualTo(of(20, 15, true, 0));
    assertThat(old.parameters(1)).isEqualTo(of(100, 0, true, 0));
    assertThat(machine(SchedulerOptions.Sedf.XEN_4_4, 0).parameters(0))
        .isEqualTo(of(100, 0, true, 0));
  }

  @Test
  void xen41PutsAllOnTheFirstPcpuAndLeavesTheOtherIdle() {
    Machine machine = machine(SchedulerOptions.Sedf.XEN_4_1, 2);
    machine.burn(1, 0);
    machine.burn(2, 0);
    machine.runUntil(1000 * MILLI);
    assertThat(machine.busyNanos(1)).isZero();
    assertThat(share(machine, 1)).isCloseTo(0.5, within(0.01));
  }

  @Test
  void extraWeightsShareSpareTimeAndReadBackAsNone() {
    Machine machine = machine(SchedulerOptions.Sedf.XEN_4_1, 2);
    machine.set(1, of(0, 0, true, 1));
    machine.set(2, of(0, 0, true, 3));
    machine.burn(1, 0);
    machine.burn(2, 0);
    machine.runUntil(10_000 * MILLI);
    assertThat(machine.parameters(2)).isEqualTo(of(100, 0, true, 0));
    assertThat(share(machine, 2) / share(machine, 1)).isCloseTo(3, within(0.15));
  }

  @Test
  void realTimeWeightsShareWhatTheSlicesOfOthersLeave() {
    Machine machine = machine(SchedulerOptions.Sedf.XEN_4_1, 2);
    machine.set(1, of(100, 0, false, 10));
    machine.set(2, of(100, 0, false, 20));
    // SimDomain-0 holds 15 in 20 ms on the same pCPU; 95 - 75 = 20 ms are left to share 1:2.
    assertThat(machine.parameters(1).get(Sedf.SLICE)).isEqualTo(Duration.ofNanos(6_666_666));
    assertThat(machine.parameters(2).get(Sedf.SLICE)).isEqualTo(Duration.ofNanos(13_333_333));
    assertThat(machine.parameters(2).get(Sedf.WEIGHT)).isEqualTo(20);
  }

  @Test
  void refusesWhatTheHypervisorRefusesAndChangesNothing() {
    Machine machine = machine(SchedulerOptions.Sedf.XEN_4_1, 1);
    for (SchedulerParameters wrong :
        List.of(of(0, 0, true, 0), of(100, 0, true, 0), of(10, 20, true, 0))) {
      assertThatThrownBy(() -> machine.set(1, wrong))
          .isInstanceOfSatisfying(
              HypervisorRefusal.class,
              refusal -> assertThat(refusal.errno()).isEqualTo(HypervisorRefusal.Errno.EINVAL));
    }
    assertThat(machine.parameters(1)).isEqualTo(of(100, 0, true, 0));
  }

  @Test
  void aShortBlockLosesTheRestOfTheSliceAndIsPaidBackInOneQuantum() {
    Machine machine = machine(SchedulerOptions.Sedf.XEN_4_1, 2);
    machine.set(1, of(100, 50, true, 0));
    machine.burn(2, 0);
    List<Long> ends = new ArrayList<>();
    machine.submit(1, 10 * MILLI, ends::add);
    machine.at(30 * MILLI, nanos -> machine.submit(1, 5 * MILLI, ends::add));
    machine.runUntil(1000 * MILLI);
    // It woke inside its period: no more guaranteed time before the next, though 40 ms were left;
    // one quantum at once for what it lost, then turns with the other one.
    assertThat(ends.get(0)).isBetween(10 * MILLI, 11 * MILLI);
    assertThat(ends.get(1)).isGreaterThan(35 * MILLI);
    assertThat(ends.get(1)).isLessThan(105 * MILLI);
  }
}
