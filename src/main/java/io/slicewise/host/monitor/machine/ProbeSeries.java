package io.slicewise.host.monitor.machine;

import io.slicewise.host.monitor.machine.MachineProbe.Taken;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.ProbeTiming;
import io.slicewise.observe.Series;
import io.slicewise.observe.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Brief readings of all machines every period of a window. A reading that is late by more than half
 * a period is missing, not moved.
 */
final class ProbeSeries implements AutoCloseable {
  private static final Map<String, ToDoubleFunction<MachineCounters>> READINGS = readings();

  private final Duration period;
  private final long began;
  private final Map<MachineProbe, Map<Integer, CompletableFuture<Taken>>> asked =
      new LinkedHashMap<>();
  private final ScheduledExecutorService timer;
  private final List<String> remarks = new ArrayList<>();
  private int turn;

  ProbeSeries(List<MachineProbe> probes, Duration period, long began) {
    this.period = period;
    this.began = began;
    probes.forEach(probe -> asked.put(probe, new TreeMap<>()));
    timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread made = new Thread(work, "series of probes");
              made.setDaemon(true);
              return made;
            });
    Future<?> unused =
        timer.scheduleAtFixedRate(
            this::ask, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Map<String, ToDoubleFunction<MachineCounters>> readings() {
    Map<String, ToDoubleFunction<MachineCounters>> readings = new LinkedHashMap<>();
    readings.put("busy", MachineCounters::used);
    readings.put("stolen", one -> one.share(MachineCounters.STEAL));
    readings.put("waiting_for_disks", one -> one.share(MachineCounters.IOWAIT));
    readings.put("switches", one -> one.count(MachineCounters.SWITCHES) / one.seconds());
    readings.put("reads", one -> sum(one, DiskCounters.READS) / one.seconds());
    readings.put("writes", one -> sum(one, DiskCounters.WRITES) / one.seconds());
    readings.put(
        "stalled_by_disks",
        one -> one.stalled().getOrDefault("io.some", Double.NaN) / one.seconds());
    return readings;
  }

  /** Adds up whole disks; devices that lie on one another count more than once. */
  private static double sum(MachineCounters machine, String counter) {
    return machine.disks().entrySet().stream()
        .filter(disk -> !MachineSightings.isPartition(disk.getKey(), machine.disks().keySet()))
        .mapToDouble(disk -> disk.getValue().value(counter))
        .sum();
  }

  private synchronized void ask() {
    turn++;
    asked.forEach((probe, answers) -> answers.put(turn, probe.ask(ProbeCommand.BRIEF, period)));
  }

  /** Ends the readings. */
  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** Returns what was missing, in sentences; after {@link #series}. */
  List<String> remarks() {
    return remarks;
  }

  /** Returns the values by seconds since the window began, from one reading to the next. */
  synchronized List<Series> series() {
    List<Series> all = new ArrayList<>();
    asked.forEach(
        (probe, answers) -> {
          Map<String, SortedMap<Integer, Double>> values = new LinkedHashMap<>();
          READINGS.keySet().forEach(name -> values.put(name, new TreeMap<>()));
          int missing = 0;
          MachineReading before = null;
          for (Map.Entry<Integer, CompletableFuture<Taken>> answer : answers.entrySet()) {
            MachineReading now = punctual(answer.getKey(), answer.getValue());
            missing += now == null ? 1 : 0;
            if (before != null && now != null) {
              add(values, answer.getKey(), probe.tier(), before, now);
            }
            before = now;
          }
          if (missing > 0) {
            remarks.add(
                "%s gave no answer in time to %d of the %d readings of its series"
                    .formatted(probe.machine(), missing, answers.size()));
          }
          values.forEach(
              (name, bySecond) -> {
                if (!bySecond.isEmpty()) {
                  all.add(new Series(probe.machine(), name, bySecond));
                }
              });
        });
    return all;
  }

  private void add(
      Map<String, SortedMap<Integer, Double>> values,
      int number,
      Tier tier,
      MachineReading before,
      MachineReading now) {
    MachineCounters grown =
        new MachineGrowth(before, now, Map.of()).counters(tier, ProbeTiming.UNKNOWN);
    int second = (int) Math.round((number - 1) * period.toNanos() / 1e9);
    if (grown.measured()) {
      READINGS.forEach(
          (name, of) -> {
            double value = of.applyAsDouble(grown);
            if (Double.isFinite(value)) {
              values.get(name).put(second, value);
            }
          });
    }
  }

  /** Returns a reading that was taken on time; null otherwise. */
  private MachineReading punctual(int number, CompletableFuture<Taken> answer) {
    if (!answer.isDone() || answer.isCompletedExceptionally()) {
      return null;
    }
    Taken taken = answer.join();
    long wanted = began + number * period.toNanos();
    boolean late = taken.askedNanos() - wanted > period.toNanos() / 2;
    return late ? null : taken.reading().orElse(null);
  }
}
