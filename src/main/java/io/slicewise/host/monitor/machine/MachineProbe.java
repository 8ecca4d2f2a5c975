package io.slicewise.host.monitor.machine;

import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reads a machine's counters through one persistent command. Everything happens on the probe's own
 * thread, so that an unreachable machine delays nobody; if the command breaks off, it is started
 * once more for the reading.
 */
public final class MachineProbe implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  /** Whether a probe closes the connection that it uses. */
  public enum Connects {
    ITSELF,
    /** Through the connection of another owner. */
    THROUGH_ANOTHER
  }

  /** A reading that was asked for, or why there is none. */
  record Taken(
      Optional<MachineReading> reading,
      List<String> raw,
      long askedNanos,
      long answeredNanos,
      String fault) {
    double roundTrip() {
      return (answeredNanos - askedNanos) / 1e9;
    }
  }

  private final String machine;
  private final Tier tier;
  private final Optional<String> service;
  private final List<String> disks;
  private final Supplier<RemoteShell> opener;
  private final Connects connects;
  private final ProbeClock clock = new ProbeClock();
  private final ExecutorService thread;
  private Optional<RemoteShell> shell = Optional.empty();
  private Optional<Conversation> conversation = Optional.empty();
  private long number;

  /**
   * @param service the systemd unit whose control group is read too
   * @param disks those that tables show; empty for all
   * @param opener connects to the machine; called on the probe's thread
   */
  public MachineProbe(
      String machine,
      Tier tier,
      Optional<String> service,
      List<String> disks,
      Supplier<RemoteShell> opener,
      Connects connects) {
    this.machine = machine;
    this.tier = tier;
    this.service = service;
    this.disks = List.copyOf(disks);
    this.opener = opener;
    this.connects = connects;
    this.thread =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread made = new Thread(work, "probe of " + machine);
              made.setDaemon(true);
              return made;
            });
  }

  public String machine() {
    return machine;
  }

  public Tier tier() {
    return tier;
  }

  List<String> disks() {
    return disks;
  }

  ProbeClock clock() {
    return clock;
  }

  /** Starts the command unless it runs; returns at once. */
  public void ready() {
    CompletableFuture<?> unused =
        submit(
            () -> {
              try {
                opened();
              } catch (RemoteShellException unreachable) {
                // The next reading tries again and reports why.
                forget();
              }
              return null;
            });
  }

  /**
   * Asks for a reading; returns at once.
   *
   * @param limit for the answer
   */
  CompletableFuture<Taken> ask(String kind, Duration limit) {
    long wanted = System.nanoTime();
    return submit(() -> taken(kind, limit, wanted));
  }

  /**
   * Reads the machine once and returns what it has; waits for that.
   *
   * @throws RemoteShellException if it cannot be reached or does not answer
   */
  public MachineLook look() {
    Taken taken = attempt(ProbeCommand.FULL, LIMIT);
    return MachineLook.of(taken.reading().orElseThrow(), clock, tier, service);
  }

  private <T> CompletableFuture<T> submit(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, thread);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.failedFuture(closed);
    }
  }

  private Taken taken(String kind, Duration limit, long wanted) {
    try {
      return attempt(kind, limit);
    } catch (RemoteShellException broken) {
      forget();
      if (broken.kind() == RemoteShellException.Kind.TIMED_OUT) {
        return failed(wanted, broken);
      }
    }
    try {
      return attempt(kind, limit);
    } catch (RemoteShellException broken) {
      forget();
      return failed(wanted, broken);
    }
  }

  private static Taken failed(long wanted, RemoteShellException fault) {
    return new Taken(Optional.empty(), List.of(), wanted, wanted, fault.getMessage());
  }

  private Taken attempt(String kind, Duration limit) {
    Conversation with = opened();
    String mark = ProbeCommand.MARK + " " + ++number;
    long asked = System.nanoTime();
    with.say(number + " " + kind);
    List<String> lines = new ArrayList<>();
    boolean own = false;
    while (true) {
      Duration left = limit.minusNanos(System.nanoTime() - asked);
      Conversation.Line line = with.next(left).orElseThrow(() -> late(limit));
      if (line.text().equals(mark)) {
        own = true;
      } else if (own && line.text().equals(ProbeCommand.END)) {
        MachineReading reading = MachineReading.of(lines);
        Taken taken = new Taken(Optional.of(reading), lines, asked, line.nanos(), "");
        clock.add(taken);
        return taken;
      } else if (own) {
        lines.add(line.text());
      }
    }
  }

  private RemoteShellException late(Duration limit) {
    return new RemoteShellException(
        RemoteShellException.Kind.TIMED_OUT,
        "no answer within %d ms".formatted(limit.toMillis()),
        "Check that the machine is not overloaded.",
        null);
  }

  private Conversation opened() {
    if (conversation.isEmpty()) {
      if (shell.isEmpty()) {
        shell = Optional.of(opener.get());
      }
      conversation = Optional.of(shell.get().converse(ProbeCommand.of(tier, service)));
    }
    return conversation.get();
  }

  /** Ends the command and the probe's own connection. */
  private void forget() {
    conversation.ifPresent(Conversation::close);
    conversation = Optional.empty();
    if (connects == Connects.ITSELF) {
      shell.ifPresent(RemoteShell::close);
    }
    shell = Optional.empty();
  }

  /** Ends the command; waits briefly for it. */
  @Override
  public void close() {
    CompletableFuture<?> unused =
        submit(
            () -> {
              forget();
              return null;
            });
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      thread.shutdownNow();
    }
  }

  /**
   * A machine's uptime beside this program's monotonic time, from the readings with the shortest
   * round trips.
   */
  static final class ProbeClock {
    /** The kernel shows its uptime in steps of 10 ms. */
    private static final double STEP = 0.010;

    private static final int KEPT = 10;
    private static final double SPAN_FOR_DRIFT = 10;

    /** A reading's time here, the offset then, and its round trip. */
    private record Point(double at, double offset, double roundTrip) {}

    private final List<Point> points = new ArrayList<>();
    private String boot = "";

    /** Adds a reading; those of an earlier boot are forgotten. */
    synchronized void add(MachineProbe.Taken taken) {
      MachineReading reading = taken.reading().orElseThrow();
      if (Double.isNaN(reading.uptime().middle())) {
        return;
      }
      if (!reading.boot().isEmpty() && !reading.boot().equals(boot)) {
        boot = reading.boot();
        points.clear();
      }
      double middle = (taken.askedNanos() / 1e9 + taken.answeredNanos() / 1e9) / 2;
      points.add(new Point(middle, reading.uptime().middle() - middle, taken.roundTrip()));
      points.sort(Comparator.comparingDouble(Point::roundTrip));
      if (points.size() > KEPT) {
        points.remove(points.size() - 1);
      }
    }

    /** The uptime minus the monotonic time; {@code NaN} without readings. */
    synchronized double offset() {
      return points.isEmpty() ? Double.NaN : points.get(0).offset();
    }

    synchronized double roundTrip() {
      return points.isEmpty() ? Double.NaN : points.get(0).roundTrip();
    }

    /** The offset is correct to within so many seconds. */
    double doubt() {
      return roundTrip() / 2 + STEP;
    }

    /** The slope of a line through the kept offsets; {@code NaN} if they are too close together. */
    synchronized double drift() {
      double first = points.stream().mapToDouble(Point::at).min().orElse(0);
      double last = points.stream().mapToDouble(Point::at).max().orElse(0);
      if (points.size() < 3 || last - first < SPAN_FOR_DRIFT) {
        return Double.NaN;
      }
      double meanAt = points.stream().mapToDouble(Point::at).average().orElseThrow();
      double meanOffset = points.stream().mapToDouble(Point::offset).average().orElseThrow();
      double above = 0;
      double below = 0;
      for (Point point : points) {
        above += (point.at() - meanAt) * (point.offset() - meanOffset);
        below += (point.at() - meanAt) * (point.at() - meanAt);
      }
      return above / below;
    }
  }

  /**
   * What a machine's kernel offers to a probe.
   *
   * @param roundTripMillis from asking to the end of the answer
   * @param doubtMillis its clock is known to within so many milliseconds
   * @param missing files that it does not have
   * @param steal seconds of stolen time since it booted; {@code NaN} if its kernel does not list it
   * @param pressure whether its kernel counts pressure
   * @param service whether the service's control group was found; true without a service
   * @param disks that were used since it booted
   * @param type of a guest of Xen, such as {@code PVH}; empty if its kernel does not show it
   * @param memory in bytes; {@code NaN} if its kernel does not show it
   */
  public record MachineLook(
      double roundTripMillis,
      double doubtMillis,
      List<String> missing,
      double steal,
      boolean pressure,
      boolean service,
      List<String> disks,
      String type,
      double memory) {
    private static final double TICKS = 100;

    public MachineLook {
      missing = List.copyOf(missing);
      disks = List.copyOf(disks);
    }

    static MachineLook of(
        MachineReading reading, ProbeClock clock, Tier tier, Optional<String> service) {
      Long steal = reading.counters().kernel().cpuTicks().get("steal");
      return new MachineLook(
          clock.roundTrip() * 1e3,
          clock.doubt() * 1e3,
          ProbeCommand.FILES.stream().filter(file -> !reading.files().contains(file)).toList(),
          steal == null || tier == Tier.BASE ? Double.NaN : steal / TICKS,
          !reading.counters().stalled().isEmpty(),
          service.isEmpty() || !reading.counters().service().isEmpty(),
          reading.counters().kernel().disks().entrySet().stream()
              .filter(disk -> disk.getValue().counters().values().stream().anyMatch(n -> n > 0))
              .map(Map.Entry::getKey)
              .sorted()
              .toList(),
          reading.type(),
          reading.levels().getOrDefault("MemTotal", Double.NaN));
    }
  }
}
