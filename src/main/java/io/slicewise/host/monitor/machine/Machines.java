package io.slicewise.host.monitor.machine;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.host.monitor.machine.MachineProbe.ProbeClock;
import io.slicewise.host.monitor.machine.MachineProbe.Taken;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.ProbeTiming;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Location;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Series;
import io.slicewise.observe.Observation.Sighting;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.observe.Observer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import java.util.zip.GZIPOutputStream;

/**
 * The observer of machines' own kernels: all are asked at once at both ends of the window, and
 * optionally every so often in between. Nothing delays the window, and any failure is only a
 * remark.
 *
 * @param domains names of the guests by domid, after which backends of disks are named
 * @param every the time between the readings in the window; empty for none
 */
public record Machines(
    List<MachineProbe> probes, Optional<Duration> every, Map<Integer, String> domains)
    implements Observer {
  /** The counters of every machine. */
  public static final Topic TOPIC =
      new Topic("machines", "Machines, by their own kernels", "machine");

  /** The counters of every machine's disks. */
  public static final Topic DISKS = new Topic("disks", "Disks of the machines", "disk");

  private static final String SOURCE = "proc";

  /** The share of the window by which machines may be read apart. */
  private static final double APART = 0.005;

  /** Seconds below which the steps of an uptime hide the distance. */
  private static final double LEAST_APART = 0.05;

  public Machines {
    probes = List.copyOf(probes);
    domains = Map.copyOf(domains);
  }

  @Override
  public String source() {
    return SOURCE;
  }

  @Override
  public Watch begin(Duration length, Path logs) {
    return new Readings(this, logs);
  }

  private static final class Readings implements Watch {
    private final Map<Integer, String> domains;
    private final Path logs;
    private final Map<MachineProbe, CompletableFuture<Taken>> first = new LinkedHashMap<>();
    private final Map<MachineProbe, CompletableFuture<Taken>> last = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();
    private final Optional<ProbeSeries> series;
    private final long began = System.nanoTime();
    private long ended;

    Readings(Machines machines, Path logs) {
      this.domains = machines.domains();
      this.logs = logs;
      for (MachineProbe probe : machines.probes()) {
        first.put(probe, probe.ask(ProbeCommand.FULL, MachineProbe.LIMIT));
      }
      series = machines.every().map(period -> new ProbeSeries(machines.probes(), period, began));
    }

    @Override
    public void end() {
      series.ifPresent(ProbeSeries::close);
      ended = System.nanoTime();
      for (MachineProbe probe : first.keySet()) {
        last.put(probe, probe.ask(ProbeCommand.FULL, MachineProbe.LIMIT));
      }
    }

    @Override
    public void awaitEnd(Duration longest) {
      CompletableFuture<?> all =
          CompletableFuture.allOf(last.values().toArray(CompletableFuture[]::new));
      CompletableFuture<?> any =
          all.exceptionally(fault -> null)
              .completeOnTimeout(null, longest.toNanos(), TimeUnit.NANOSECONDS);
      any.join();
    }

    @Override
    public List<Observation> finish(Window window) {
      Map<String, MachineCounters> machines = new LinkedHashMap<>();
      long deadline = System.nanoTime() + MachineProbe.LIMIT.toNanos();
      Map<MachineProbe, Optional<Taken>> earlier = taken(first, "beginning", deadline);
      Map<MachineProbe, Optional<Taken>> later = taken(last, "end", deadline);
      for (MachineProbe probe : first.keySet()) {
        Optional<Taken> before = earlier.get(probe);
        Optional<Taken> after = later.get(probe);
        keep(probe, before, after);
        machines.put(
            probe.machine(),
            before.isPresent() && after.isPresent()
                ? counters(probe, before.get(), after.get(), window)
                : MachineCounters.unread(probe.tier()));
      }
      return observations(window, machines);
    }

    private List<Observation> observations(Window window, Map<String, MachineCounters> machines) {
      Map<String, List<String>> chosen = new LinkedHashMap<>();
      first.keySet().forEach(probe -> chosen.put(probe.machine(), probe.disks()));
      List<Series> seconds = series.map(ProbeSeries::series).orElse(List.of());
      series.ifPresent(each -> remarks.addAll(each.remarks()));
      return List.of(
          new Observation(
              TOPIC,
              SOURCE,
              window,
              MachineSightings.machines(machines),
              seconds,
              machines,
              remarks),
          new Observation(
              DISKS,
              SOURCE,
              window,
              MachineSightings.disks(machines, chosen),
              List.of(),
              List.of()));
    }

    private MachineCounters counters(MachineProbe probe, Taken before, Taken after, Window window) {
      MachineGrowth growth =
          new MachineGrowth(before.reading().orElseThrow(), after.reading().orElseThrow(), domains);
      double apart = Math.max(late(before.askedNanos(), began), late(after.askedNanos(), ended));
      MachineCounters counters = growth.counters(probe.tier(), timing(probe, before, after, apart));
      if (counters.measured()) {
        jump(before, after, counters.seconds())
            .ifPresent(said -> remarks.add(probe.machine() + " " + said));
      }
      growth.remarks().forEach(said -> remarks.add(probe.machine() + " " + said));
      if (counters.measured() && apart > Math.max(LEAST_APART, APART * window.seconds())) {
        remarks.add(
            "%s was read %s late: its counters do not cover the window exactly"
                .formatted(
                    probe.machine(), DurationText.of(Duration.ofMillis((long) (apart * 1e3)))));
      }
      return counters;
    }

    /** Says that the machine's clock did not go on as this one's did. */
    private static Optional<String> jump(Taken before, Taken after, double seconds) {
      double here = (middle(after) - middle(before)) / 1e9;
      double doubt = (before.roundTrip() + after.roundTrip()) / 2 + LEAST_APART;
      return Math.abs(seconds - here) > doubt + APART * here
          ? Optional.of(
              Phrase.of(
                  "counted %.2f s between two readings that were %.2f s apart: its clock jumped,"
                      + " or it did not run; its rates are not to be trusted",
                  seconds, here))
          : Optional.empty();
    }

    private static double middle(Taken taken) {
      return (taken.askedNanos() + taken.answeredNanos()) / 2.0;
    }

    private static double late(long asked, long wanted) {
      return (asked - wanted) / 1e9;
    }

    private static ProbeTiming timing(MachineProbe probe, Taken before, Taken after, double apart) {
      ProbeClock clock = probe.clock();
      MachineReading first = before.reading().orElseThrow();
      MachineReading last = after.reading().orElseThrow();
      long from = first.probeTicks();
      long to = last.probeTicks();
      return new ProbeTiming(
          clock.offset(),
          clock.doubt(),
          clock.drift(),
          clock.roundTrip(),
          apart,
          from >= 0 && to >= from ? (to - from) / 100.0 : Double.NaN,
          first.uptime().spread() + last.uptime().spread());
    }

    private Map<MachineProbe, Optional<Taken>> taken(
        Map<MachineProbe, CompletableFuture<Taken>> asked, String when, long deadline) {
      Map<MachineProbe, Optional<Taken>> taken = new LinkedHashMap<>();
      asked.forEach((probe, answer) -> taken.put(probe, taken(probe, answer, when, deadline)));
      return taken;
    }

    private Optional<Taken> taken(
        MachineProbe probe, CompletableFuture<Taken> answer, String when, long deadline) {
      String why;
      try {
        long left = Math.max(0, deadline - System.nanoTime());
        Taken taken = answer.get(left, TimeUnit.NANOSECONDS);
        if (taken.reading().isPresent()) {
          return Optional.of(taken);
        }
        why = taken.fault();
      } catch (TimeoutException late) {
        why = "no answer in time";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        why = "interrupted";
      } catch (ExecutionException | CancellationException | CompletionException fault) {
        why =
            String.valueOf(
                fault.getCause() == null ? fault.getMessage() : fault.getCause().getMessage());
      }
      remarks.add(
          "%s was not read at the window's %s, and is not measured: %s"
              .formatted(probe.machine(), when, why));
      return Optional.empty();
    }

    private void keep(MachineProbe probe, Optional<Taken> before, Optional<Taken> after) {
      List<String> lines = new ArrayList<>();
      before.ifPresent(taken -> lines.addAll(taken.raw()));
      after.ifPresent(taken -> lines.addAll(taken.raw()));
      if (lines.isEmpty()) {
        return;
      }
      Path file = logs.resolve(fileName(probe.machine()));
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        remarks.add(
            "the readings of %s could not be kept: %s"
                .formatted(probe.machine(), FileFault.reason(e)));
      }
    }

    /** Names of domains may contain any character. */
    private static String fileName(String machine) {
      return machine.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^\\.", "_") + ".txt.gz";
    }

    /** The probes go on with the next window. */
    @Override
    public void close() {
      series.ifPresent(ProbeSeries::close);
    }
  }

  /**
   * Brief readings of all machines every period of a window. A reading that is late by more than
   * half a period is missing, not moved.
   */
  private static final class ProbeSeries implements AutoCloseable {
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
          one -> one.counted().stalled().getOrDefault("io.some", Double.NaN) / one.seconds());
      return readings;
    }

    /** Adds up whole disks; devices that lie on one another count more than once. */
    private static double sum(MachineCounters machine, String counter) {
      return machine.counted().disks().entrySet().stream()
          .filter(
              disk ->
                  !MachineSightings.isPartition(disk.getKey(), machine.counted().disks().keySet()))
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

  /** The rows of machines and of their disks, from the growth of their counters. */
  static final class MachineSightings {
    private static final double MEGABYTE = 1e6;

    private MachineSightings() {}

    /** Returns a row for each machine that was measured. Shares are of the time of all its CPUs. */
    static List<Sighting> machines(Map<String, MachineCounters> machines) {
      List<Sighting> rows = new ArrayList<>();
      machines.forEach(
          (name, counters) -> {
            if (counters.measured()) {
              rows.add(machine(name, counters));
            }
          });
      return rows;
    }

    private static Sighting machine(String name, MachineCounters counters) {
      double seconds = counters.seconds();
      return new Sighting(
          new Location(kind(counters.tier()), name, counters.cpus()),
          List.of(
              Reading.share("busy", counters.used()),
              Reading.share("system", counters.share(MachineCounters.SYSTEM)),
              Reading.share("stolen", counters.share(MachineCounters.STEAL)),
              Reading.share("waiting_for_disks", counters.share(MachineCounters.IOWAIT)),
              new Reading("faults", "1/s", counters.count(MachineCounters.FAULTS) / seconds),
              new Reading(
                  "major_faults", "1/s", counters.count(MachineCounters.MAJOR_FAULTS) / seconds),
              new Reading("switches", "1/s", counters.count(MachineCounters.SWITCHES) / seconds),
              Reading.share(
                  "stalled_by_disks",
                  counters.counted().stalled().getOrDefault("io.some", Double.NaN) / seconds),
              Reading.share("probe", counters.timing().cpuSeconds() / seconds)),
          List.of(),
          "");
    }

    private static Location.Kind kind(Tier tier) {
      return switch (tier) {
        case BASE, HOST -> Location.Kind.HOST;
        case GUEST, DOM0, STORAGE -> Location.Kind.DOMAIN;
      };
    }

    /**
     * Returns a row for each disk, without the partitions of listed disks; then for each backend.
     *
     * @param chosen by machine, the disks to show; none for all
     */
    static List<Sighting> disks(
        Map<String, MachineCounters> machines, Map<String, List<String>> chosen) {
      List<Sighting> rows = new ArrayList<>();
      machines.forEach(
          (machine, counters) -> {
            List<String> wanted = chosen.getOrDefault(machine, List.of());
            counters
                .counted()
                .disks()
                .forEach(
                    (name, disk) -> {
                      if (wanted.isEmpty()
                          ? !isPartition(name, counters.counted().disks().keySet())
                          : wanted.contains(name)) {
                        rows.add(disk(machine, name, disk, counters));
                      }
                    });
            counters
                .counted()
                .backends()
                .forEach((name, disk) -> rows.add(disk(machine, name, disk, counters)));
          });
      return rows;
    }

    /** Whether a device is a partition of another: {@code sda1} of sda, {@code nvme0n1p1}. */
    static boolean isPartition(String name, Set<String> devices) {
      String parent = name.replaceFirst("\\d+$", "");
      return !parent.equals(name)
          && (devices.contains(parent)
              || (parent.endsWith("p")
                  && devices.contains(parent.substring(0, parent.length() - 1))));
    }

    private static Sighting disk(
        String machine, String name, DiskCounters disk, MachineCounters counters) {
      double seconds = counters.seconds();
      double millis = disk.value(DiskCounters.READ_MILLIS) + disk.value(DiskCounters.WRITE_MILLIS);
      return new Sighting(
          new Location(kind(counters.tier()), machine + "/" + name, 0),
          List.of(
              new Reading("reads", "1/s", disk.value(DiskCounters.READS) / seconds),
              new Reading("read", "MB/s", disk.bytesRead() / MEGABYTE / seconds),
              new Reading("read_wait", "ms", disk.readWaitMillis()),
              new Reading("writes", "1/s", disk.value(DiskCounters.WRITES) / seconds),
              new Reading("written", "MB/s", disk.bytesWritten() / MEGABYTE / seconds),
              new Reading("write_wait", "ms", disk.writeWaitMillis()),
              new Reading("flushes", "1/s", disk.value(DiskCounters.FLUSHES) / seconds),
              new Reading("in_flight", "", millis / 1000 / seconds),
              Reading.share(
                  "busy", Math.min(1, disk.value(DiskCounters.BUSY_MILLIS) / 1000 / seconds))),
          List.of(),
          "");
    }
  }
}
