package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.profile.Credit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The credit scheduler gives by weight, holds caps and lets those that sleep go first. */
class CreditTest {
  private static final long SECOND = 1_000_000_000L;

  private static Machine machine(int pcpus) {
    return new Machine(new MachineSpec(pcpus, SchedulerOptions.Credit.XEN_4_17, 1));
  }

  @Test
  void sharesOnePcpuByWeight() {
    Machine machine = machine(1);
    machine.addDomain("a", 1, 1, Machine.POOL_0);
    machine.addDomain("b", 2, 1, Machine.POOL_0);
    machine.set(1, Credit.of(256, 0));
    machine.set(2, Credit.of(768, 0));
    machine.burn(1, 0);
    machine.burn(2, 0);
    machine.runUntil(60 * SECOND);
    assertThat(machine.times(1, 0).runningNanos() / 6e10).isCloseTo(0.25, within(0.01));
    assertThat(machine.busyNanos(0)).isEqualTo(60 * SECOND);
  }

  @Test
  void holdsACap() {
    Machine machine = machine(2);
    machine.addDomain("a", 1, 1, Machine.POOL_0);
    machine.set(1, Credit.of(256, 40));
    machine.burn(1, 0);
    machine.runUntil(60 * SECOND);
    assertThat(machine.times(1, 0).runningNanos() / 6e10).isCloseTo(0.40, within(0.01));
    assertThat(machine.times(1, 0).offlineNanos() / 6e10).isCloseTo(0.60, within(0.01));
  }

  @Test
  void wakesBeforeABurnerAndFinishesTheChain() {
    Machine machine = machine(1);
    machine.addDomain("SimDomain-0", 0, 1, Machine.POOL_0);
    machine.addDomain("web", 1, 1, Machine.POOL_0);
    machine.addDomain("burner", 2, 1, Machine.POOL_0);
    machine.burn(2, 0);
    List<Long> ends = new ArrayList<>();
    machine.at(
        SECOND,
        nanos ->
            machine.submit(
                0,
                100_000,
                first ->
                    machine.submit(1, 200_000, second -> machine.submit(0, 50_000, ends::add))));
    machine.runUntil(2 * SECOND);
    assertThat(ends).hasSize(1);
    assertThat(ends.get(0) - SECOND).isBetween(350_000L, 3_000_000L);
  }

  @Test
  void movesPcpusAndDomainsBetweenPools() {
    Machine machine = machine(4);
    RunTimes runs = RunTimes.on(machine);
    machine.addDomain("a", 1, 2, Machine.POOL_0);
    machine.burn(1, 0);
    machine.burn(1, 1);
    machine.runUntil(SECOND);
    machine.removePcpu(Machine.POOL_0, 3);
    machine.addPool("bench", SchedulerOptions.Credit.XEN_4_17, Set.of(3));
    machine.set(1, Credit.of(1024, 50));
    machine.migrate(1, "bench");
    machine.runUntil(2 * SECOND);
    assertThat(machine.parameters(1)).isEqualTo(Credit.of(256, 0));
    assertThat(runs.nanos(3, 1)).isGreaterThanOrEqualTo(SECOND);
    assertThat(machine.times(1, 0).runningNanos() + machine.times(1, 1).runningNanos())
        .isEqualTo(3 * SECOND);
  }
}
