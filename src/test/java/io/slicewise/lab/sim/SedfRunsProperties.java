package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.profile.Sedf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * That the model hands a vCPU several quanta of spare time at once, where sEDF would choose it
 * again after each, shows in nothing that happens: not even if they are taken back all the time.
 */
class SedfRunsProperties {
  private static final long MILLI = 1_000_000;
  private static final long SPAN = 400 * MILLI;
  private static final int BYSTANDER = 4;

  @Property(tries = 100)
  void quantaHandedOutInARowAreAsIfHandedOutOneByOne(@ForAll long seed) {
    List<String> whole = trace(seed, SPAN);
    assertThat(whole).isNotEmpty();
    assertThat(trace(seed, 100_000)).isEqualTo(whole);
  }

  /**
   * What happens on the first pCPU. A bystander on the second is given the settings it has at that
   * interval, upon which all pCPUs have to think again.
   */
  private static List<String> trace(long seed, long interval) {
    SplittableRandom random = new SplittableRandom(seed);
    Machine machine = new Machine(new MachineSpec(2, SchedulerOptions.Sedf.XEN_3_3, 1));
    List<String> trace = new ArrayList<>();
    for (int domid = 1; domid <= BYSTANDER; domid++) {
      machine.addDomain("d" + domid, domid, 1, Machine.POOL_0);
      machine.pin(domid, 0, Set.of(domid / BYSTANDER));
      Duration period = Duration.ofMillis(2 + random.nextInt(40));
      Duration slice = Duration.ofNanos(100_000 + random.nextInt(500_000));
      machine.set(domid, Sedf.of(period, slice, Duration.ZERO, true, 0));
    }
    machine.burn(1, 0);
    new Load(machine, 2, random.split()).accept(0);
    new Load(machine, 3, random.split()).accept(0);
    machine.listen(
        (nanos, domid, vcpu, pcpu, from, to, cause) -> trace.add(nanos + " d" + domid + to));
    for (long at = interval; at < SPAN; at += interval) {
      machine.at(at, nanos -> machine.set(BYSTANDER, machine.parameters(BYSTANDER)));
    }
    machine.runUntil(SPAN);
    return trace;
  }

  /** Bursts of many quanta, with pauses. */
  private record Load(Machine machine, int domid, SplittableRandom random) implements LongConsumer {
    @Override
    public void accept(long nanos) {
      machine.submit(domid, random.nextLong(20 * MILLI), done -> {});
      machine.at(nanos + random.nextLong(50 * MILLI), this);
    }
  }
}
