package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.lab.sim.HypervisorRefusal.Errno;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Rtds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The machine serves bursts in order, keeps its pools in order, and refuses as Xen does. */
class MachineTest {
  private static final long MILLI = 1_000_000;

  private final Machine machine =
      new Machine(new MachineSpec(4, SchedulerOptions.Credit2.XEN_4_17, 1));

  private final RunTimes runs = RunTimes.on(machine);

  private static void refused(Errno errno, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HypervisorRefusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
  }

  @Test
  void servesBurstsFirstComeFirstServedByAsManyVcpusAsThereAre() {
    machine.addDomain("guest", 1, 2, Machine.POOL_0);
    List<String> done = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      machine.submit(1, 2 * MILLI, nanos -> done.add(name + nanos / MILLI));
    }
    assertThat(machine.backlog(1)).isEqualTo(1);
    machine.runUntil(10 * MILLI);
    assertThat(done).containsExactly("a2", "b2", "c4");
    assertThat(machine.times(1, 0).dispatches()).isEqualTo(1);
    assertThat(machine.vcpus(1)).allMatch(v -> v.state() == Runstate.BLOCKED);
  }

  @Test
  void tellsListenersWhyAVcpuBecameRunnable() {
    machine.addDomain("guest", 1, 1, Machine.POOL_0);
    List<String> changes = new ArrayList<>();
    machine.listen(
        (nanos, domid, vcpu, pcpu, from, to, cause) -> changes.add(from + ">" + to + " " + cause));
    machine.submit(1, MILLI, nanos -> {});
    machine.runUntil(5 * MILLI);
    assertThat(changes)
        .containsExactly("BLOCKED>RUNNABLE WAKE", "RUNNABLE>RUNNING NONE", "RUNNING>BLOCKED NONE");
  }

  @Test
  void pausesAndGoesOnWhereItWas() {
    machine.addDomain("guest", 1, 1, Machine.POOL_0);
    List<Long> done = new ArrayList<>();
    machine.submit(1, 10 * MILLI, done::add);
    machine.runUntil(4 * MILLI);
    machine.pause(1);
    machine.runUntil(50 * MILLI);
    assertThat(machine.vcpus(1).get(0).state()).isEqualTo(Runstate.OFFLINE);
    machine.unpause(1);
    machine.runUntil(100 * MILLI);
    assertThat(done).containsExactly(56 * MILLI);
  }

  @Test
  void migrationResetsParametersAndAffinityAndKeepsTheWork() {
    machine.addDomain("guest", 1, 1, Machine.POOL_0);
    machine.set(1, Credit2.of(1024, 50));
    machine.pin(1, 0, Set.of(0));
    machine.removePcpu(Machine.POOL_0, 3);
    machine.addPool("rt", SchedulerOptions.Rtds.XEN_4_17, Set.of(3));
    List<Long> done = new ArrayList<>();
    machine.submit(1, 3 * MILLI, done::add);
    machine.runUntil(MILLI);
    machine.migrate(1, "rt");
    assertThat(machine.parameters(1))
        .isEqualTo(Rtds.of(Duration.ofMillis(10), Duration.ofMillis(4), true));
    machine.runUntil(20 * MILLI);
    assertThat(done).containsExactly(3 * MILLI);
    assertThat(runs.nanos(3, 1)).isEqualTo(2 * MILLI);
    machine.migrate(1, Machine.POOL_0);
    assertThat(machine.parameters(1)).isEqualTo(Credit2.of(256, 0));
    assertThat(machine.vcpus(1).get(0).affinity()).containsExactly(0, 1, 2, 3);
  }

  @Test
  void losesAffinityToAPcpuThatLeavesThePool() {
    machine.addDomain("guest", 1, 1, Machine.POOL_0);
    machine.pin(1, 0, Set.of(2));
    machine.burn(1, 0);
    machine.runUntil(MILLI);
    machine.removePcpu(Machine.POOL_0, 2);
    machine.runUntil(3 * MILLI);
    assertThat(machine.freePcpus()).containsExactly(2);
    assertThat(machine.times(1, 0).runningNanos()).isEqualTo(3 * MILLI);
    assertThat(runs.nanos(2, 1)).isEqualTo(MILLI);
  }

  @Test
  void refusesAsTheHypervisorDoes() {
    machine.addDomain("SimDomain-0", 0, 1, Machine.POOL_0);
    machine.addDomain("guest", 1, 1, Machine.POOL_0);
    refused(Errno.ESRCH, () -> machine.parameters(7));
    refused(Errno.EINVAL, () -> machine.set(1, Credit.of(256, 0)));
    refused(Errno.EINVAL, () -> machine.set(1, Credit2.of(256, 101)));
    refused(Errno.EINVAL, () -> machine.pin(1, 0, Set.of()));
    refused(Errno.EINVAL, () -> machine.pin(1, 0, Set.of(4)));
    refused(Errno.EINVAL, () -> machine.pin(1, 1, Set.of(0)));
    refused(Errno.EEXIST, () -> machine.addDomain("again", 1, 1, Machine.POOL_0));
    refused(Errno.ENOENT, () -> machine.migrate(1, "nowhere"));
    refused(Errno.EBUSY, () -> machine.addPcpu(Machine.POOL_0, 0));
    refused(Errno.EBUSY, () -> machine.removePool(Machine.POOL_0));
    refused(Errno.EBUSY, () -> machine.addPool("x", SchedulerOptions.Rtds.XEN_4_17, Set.of(1)));
    refused(
        Errno.EINVAL,
        () -> machine.setPoolOptions(Machine.POOL_0, SchedulerOptions.Credit.XEN_4_17));
    machine.removePcpu(Machine.POOL_0, 1);
    machine.addPool("x", SchedulerOptions.Rtds.XEN_4_17, Set.of(1));
    refused(Errno.EINVAL, () -> machine.migrate(0, "x"));
    machine.migrate(1, "x");
    refused(Errno.EBUSY, () -> machine.removePool("x"));
    refused(Errno.EBUSY, () -> machine.removePcpu("x", 1));
    machine.removeDomain(1);
    machine.removePool("x");
    assertThat(machine.pools()).hasSize(1);
  }

  @Test
  void aDomainRemovedWhileItRunsLeavesThePcpuToOthers() {
    machine.addDomain("guest", 1, 1, Machine.POOL_0);
    machine.addDomain("other", 2, 1, Machine.POOL_0);
    machine.burn(1, 0);
    machine.burn(2, 0);
    machine.runUntil(MILLI);
    machine.removeDomain(1);
    machine.addDomain("next", 3, 1, Machine.POOL_0);
    machine.runUntil(5 * MILLI);
    assertThat(machine.times(2, 0).runningNanos()).isEqualTo(5 * MILLI);
    assertThat(machine.times(3, 0).runningNanos()).isZero();
    assertThat(machine.times(3, 0).dispatches()).isZero();
  }
}
