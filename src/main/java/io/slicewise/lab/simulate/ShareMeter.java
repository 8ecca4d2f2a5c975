package io.slicewise.lab.simulate;

import io.slicewise.base.units.Window;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.lab.sim.FairScheduler;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.RunstateTimes;
import io.slicewise.observe.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Advances through the measured window and records each domain's shares: over the whole window and,
 * like a monitor, for each second. Time in which a cap of Xen parks a vCPU counts as blocked, the
 * rest, as in measurements.
 */
final class ShareMeter {
  private static final long SECOND = 1_000_000_000L;

  private final Machine machine;
  private final Map<String, Integer> domids;
  private final Map<String, Integer> vcpus;
  private final boolean fair;
  private final List<MonitorResult.Second> series = new ArrayList<>();
  private Map<String, Spent> whole = Map.of();

  /** The total times of a domain's vCPUs so far, and of its emulator. */
  private record Spent(long running, long runnable, long emulator) {
    Spent since(Spent before) {
      return new Spent(
          running - before.running, runnable - before.runnable, emulator - before.emulator);
    }
  }

  /**
   * @param fair whether the machine is a Linux host, where throttled time counts as waiting
   */
  ShareMeter(
      Machine machine, Map<String, Integer> domids, Map<String, Integer> vcpus, boolean fair) {
    this.machine = machine;
    this.domids = domids;
    this.vcpus = vcpus;
    this.fair = fair;
  }

  /** Advances the time by {@code length}. */
  void watch(Duration length) {
    long start = machine.now();
    long end = start + length.toNanos();
    Map<String, Spent> first = spent();
    Map<String, Spent> before = first;
    for (int second = 0; machine.now() < end; second++) {
      long from = machine.now();
      machine.runUntil(Math.min(end, from + SECOND));
      Map<String, Spent> now = spent();
      addSecond(second, before, now, machine.now() - from);
      before = now;
    }
    whole = difference(first, before);
  }

  private Map<String, Spent> spent() {
    Map<String, Spent> spent = new LinkedHashMap<>();
    domids.forEach((domain, domid) -> spent.put(domain, spent(domid, vcpus.get(domain))));
    return spent;
  }

  private Spent spent(int domid, int count) {
    long running = 0;
    long runnable = 0;
    for (int vcpu = 0; vcpu < count; vcpu++) {
      RunstateTimes times = machine.times(domid, vcpu);
      running += times.runningNanos();
      runnable += fair ? machine.fair().readyNanos(domid, vcpu) : times.runnableNanos();
    }
    return new Spent(running, runnable, fair ? emulator(domid) : 0);
  }

  private long emulator(int domid) {
    return machine.times(FairScheduler.emulator(domid), 0).runningNanos();
  }

  private static Map<String, Spent> difference(
      Map<String, Spent> before, Map<String, Spent> after) {
    Map<String, Spent> difference = new LinkedHashMap<>();
    after.forEach((domain, spent) -> difference.put(domain, spent.since(before.get(domain))));
    return difference;
  }

  private void addSecond(
      int second, Map<String, Spent> before, Map<String, Spent> now, long nanos) {
    difference(before, now)
        .forEach(
            (domain, spent) -> {
              double available = (double) nanos * vcpus.get(domain);
              series.add(
                  new MonitorResult.Second(
                      second, domain, spent.running / available, spent.runnable / available));
            });
  }

  private static Reading emulator(Spent spent, Window window) {
    return Reading.share(
        DomainShares.EMULATOR_RUN, (double) spent.emulator / window.length().toNanos());
  }

  /** The shares in the window of {@link #watch}. */
  MonitorResult result(Window window) {
    List<DomainShares> shares = new ArrayList<>();
    whole.forEach(
        (domain, spent) -> {
          double available = (double) window.length().toNanos() * vcpus.get(domain);
          double run = spent.running / available;
          double waiting = spent.runnable / available;
          shares.add(
              new DomainShares(
                  domain,
                  domids.get(domain),
                  vcpus.get(domain),
                  run,
                  waiting,
                  Math.max(0, 1 - run - waiting),
                  "",
                  fair ? List.of(emulator(spent, window)) : List.of()));
        });
    return new MonitorResult("sim", window, shares, series, List.of());
  }
}
