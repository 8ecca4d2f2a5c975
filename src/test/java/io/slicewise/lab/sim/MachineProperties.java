package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.lab.sim.Machine.DomainView;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.Machine.VcpuView;
import io.slicewise.lab.sim.Runstate.RunstateTimes;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Whatever is run and changed on a machine, under every scheduler: no time is lost or made up, no
 * pCPU idles while a vCPU waits for it where the scheduler promises so, and the same seed gives the
 * same trace.
 */
class MachineProperties {
  private static final long MILLI = 1_000_000;
  private static final long SPAN = 2_000 * MILLI;
  private static final int PCPUS = 3;
  private static final int DOMAINS = 4;

  @Provide
  Arbitrary<SchedulerOptions> schedulers() {
    return Arbitraries.of(
        SchedulerOptions.Credit.XEN_3_3,
        SchedulerOptions.Credit.XEN_4_0,
        SchedulerOptions.Credit.XEN_4_4,
        SchedulerOptions.Credit.XEN_4_17,
        SchedulerOptions.Credit2.XEN_4_4,
        SchedulerOptions.Credit2.XEN_4_17,
        new SchedulerOptions.Credit2(Duration.ofMillis(1), Duration.ofMillis(10), 1),
        SchedulerOptions.Sedf.XEN_3_3,
        SchedulerOptions.Sedf.XEN_4_1,
        SchedulerOptions.Sedf.XEN_4_4,
        SchedulerOptions.Rtds.XEN_4_5,
        SchedulerOptions.Rtds.XEN_4_17);
  }

  @Property(tries = 150)
  void everyNanosecondIsAccountedForOnce(
      @ForAll("schedulers") SchedulerOptions options, @ForAll long seed) {
    Machine machine = busyMachine(options, seed);
    RunTimes runs = RunTimes.on(machine);
    for (long at = SPAN / 7; at <= SPAN; at += SPAN / 7) {
      machine.runUntil(at);
      checkAccounts(machine, runs, at);
    }
  }

  private static void checkAccounts(Machine machine, RunTimes runs, long age) {
    long ran = 0;
    for (DomainView domain : machine.domains()) {
      long byVcpus = 0;
      for (int v = 0; v < domain.vcpus(); v++) {
        RunstateTimes times = machine.times(domain.domid(), v);
        long sum =
            times.runningNanos()
                + times.runnableNanos()
                + times.blockedNanos()
                + times.offlineNanos();
        assertThat(sum).isEqualTo(age);
        byVcpus += times.runningNanos();
      }
      long byPcpus = 0;
      for (int p = 0; p < PCPUS; p++) {
        byPcpus += runs.nanos(p, domain.domid());
      }
      assertThat(byPcpus).isEqualTo(byVcpus);
      ran += byVcpus;
    }
    long busy = 0;
    for (int p = 0; p < PCPUS; p++) {
      assertThat(machine.busyNanos(p)).isBetween(0L, age);
      busy += machine.busyNanos(p);
    }
    assertThat(ran).isEqualTo(busy);
  }

  @Property(tries = 60)
  void theSameSeedGivesTheSameTrace(
      @ForAll("schedulers") SchedulerOptions options, @ForAll long seed) {
    assertThat(trace(options, seed)).isEqualTo(trace(options, seed));
  }

  private static List<String> trace(SchedulerOptions options, long seed) {
    List<String> trace = new ArrayList<>();
    Machine machine = busyMachine(options, seed);
    machine.listen(
        (nanos, domid, vcpu, pcpu, from, to, cause) ->
            trace.add(nanos + " d" + domid + "v" + vcpu + " p" + pcpu + from + to + cause));
    machine.runUntil(SPAN / 4);
    return trace;
  }

  @Provide
  Arbitrary<SchedulerOptions> workConserving() {
    return Arbitraries.of(
        SchedulerOptions.Credit.XEN_3_3,
        SchedulerOptions.Credit.XEN_4_4,
        SchedulerOptions.Credit.XEN_4_17,
        SchedulerOptions.Credit2.XEN_4_4,
        SchedulerOptions.Credit2.XEN_4_17,
        SchedulerOptions.Rtds.XEN_4_17);
  }

  /** Without caps and pins, that is; credit finds pinned vCPUs a better place only in time. */
  @Property(tries = 100)
  void noPcpuIdlesWhileAVcpuWaitsForIt(
      @ForAll("workConserving") SchedulerOptions options, @ForAll long seed) {
    Machine machine = workingMachine(options, seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (long at = 0; at < SPAN / 4; at += random.nextLong(5 * MILLI)) {
      machine.runUntil(at);
      Set<Integer> idle = idlePcpus(machine);
      for (DomainView domain : machine.domains()) {
        for (VcpuView v : machine.vcpus(domain.domid())) {
          if (v.state() == Runstate.RUNNABLE) {
            assertThat(v.affinity()).as("%s at %d ns", v, at).doesNotContainAnyElementsOf(idle);
          }
        }
      }
    }
  }

  private static Set<Integer> idlePcpus(Machine machine) {
    Set<Integer> idle = new TreeSet<>(machine.pools().get(0).pcpus());
    for (DomainView domain : machine.domains()) {
      for (VcpuView v : machine.vcpus(domain.domid())) {
        if (v.state() == Runstate.RUNNING) {
          idle.remove(v.pcpu());
        }
      }
    }
    idle.add(-1); // so that the set is never empty
    return idle;
  }

  /** Four domains that burn, work and rest at random while parameters and affinities change. */
  private static Machine busyMachine(SchedulerOptions options, long seed) {
    Machine machine = workingMachine(options, seed);
    SplittableRandom random = new SplittableRandom(seed + 1);
    for (int i = 0; i < 6; i++) {
      int domid = random.nextInt(DOMAINS);
      Set<Integer> pcpus = Set.of(random.nextInt(PCPUS));
      SchedulerParameters parameters = parameters(options, random);
      machine.at(
          random.nextLong(SPAN / 2),
          nanos -> {
            machine.pin(domid, 0, pcpus);
            machine.set(domid, parameters);
          });
    }
    return machine;
  }

  private static Machine workingMachine(SchedulerOptions options, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Machine machine = new Machine(new MachineSpec(PCPUS, options, seed));
    for (int domid = 0; domid < DOMAINS; domid++) {
      machine.addDomain("d" + domid, domid, 1 + random.nextInt(3), Machine.POOL_0);
      new Load(machine, domid, random.split()).accept(random.nextLong(MILLI));
    }
    machine.burn(1, 0);
    machine.at(random.nextLong(SPAN / 4), nanos -> machine.burn(2, 0));
    return machine;
  }

  private static SchedulerParameters parameters(SchedulerOptions options, SplittableRandom random) {
    Duration period = Duration.ofMillis(10 + random.nextInt(90));
    Duration slice = Duration.ofMillis(1 + random.nextInt(9));
    return switch (options.scheduler().xenName()) {
      case "credit" -> Credit.of(1 + random.nextInt(1024), random.nextInt(100));
      case "credit2" -> Credit2.of(1 + random.nextInt(1024), random.nextInt(100));
      case "sedf" -> Sedf.of(period, slice, Duration.ZERO, random.nextBoolean(), random.nextInt(3));
      case "rtds" -> Rtds.of(period, slice, random.nextBoolean());
      default -> throw new AssertionError(options);
    };
  }

  /** Bursts with pauses between, as a guest's service has them. */
  private record Load(Machine machine, int domid, SplittableRandom random) implements LongConsumer {
    @Override
    public void accept(long nanos) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        machine.submit(domid, random.nextLong(3 * MILLI), done -> {});
      }
      machine.at(machine.now() + random.nextLong(6 * MILLI), this);
    }
  }
}
