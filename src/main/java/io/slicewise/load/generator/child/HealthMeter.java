package io.slicewise.load.generator.child;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import io.slicewise.base.units.MachineTimes;
import io.slicewise.base.units.OwnCores;
import io.slicewise.load.generator.GeneratorHealth;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.HdrHistogram.Histogram;

/**
 * Measures the generator's own health from {@link #begin} on. A thread scheduled every 10 ms
 * records how late it ran: that is the error that the generator adds to every measured time.
 * Another records the number of runnable threads of the whole machine, twenty times a second on
 * average, at moments that nothing else keeps time with: a sample in step with the clock that wakes
 * users, the lab and this meter would count those it has just woken, which wait for nothing. If the
 * generator is confined to some cores, those of the machine count that it may use, and of the
 * threads its own: Linux does not say where others run.
 */
final class HealthMeter {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final double LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final Path LOAD = Path.of("/proc/loadavg");
  private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final Optional<OpenLoad> arrivals;
  private final Optional<OwnCores> confined = OwnCores.confined();
  private final Object lock = new Object();
  private Counters counters = new Counters();

  /** Counters that start with the window. */
  private final class Counters {
    private final long nanos = System.nanoTime();
    private final long cpuNanos = system.getProcessCpuTime();
    private final MachineTimes machine = machine();
    private final Map<String, Long> demands = confined.isPresent() ? OwnCores.demands() : Map.of();
    private final Histogram latenessMicros = new Histogram(LONGEST_MICROS, 3);
    private long gcMillis;
    private long longestGcMillis;
    private double runnable;
    private long looks;
  }

  /**
   * @param arrivals of an open load
   */
  HealthMeter(Optional<OpenLoad> arrivals) {
    this.arrivals = arrivals;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((event, context) -> noteCollection(event), null, null);
      }
    }
    start(this::tick, "health");
    if (confined.isEmpty()) {
      start(this::watchQueue, "run queue");
    }
  }

  private static void start(Runnable meter, String name) {
    Thread thread = new Thread(meter, name);
    thread.setDaemon(true);
    thread.start();
  }

  void begin() {
    synchronized (lock) {
      counters = new Counters();
    }
    arrivals.ifPresent(OpenLoad::beginWindow);
  }

  GeneratorHealth read() {
    synchronized (lock) {
      int cores = system.getAvailableProcessors();
      double cpuSeconds = (system.getProcessCpuTime() - counters.cpuNanos) / 1e9;
      double seconds = (System.nanoTime() - counters.nanos) / 1e9;
      Histogram lateness = counters.latenessMicros;
      return new GeneratorHealth(
              cpuSeconds,
              cpuSeconds / seconds / cores,
              counters.gcMillis,
              counters.longestGcMillis,
              lateness.getTotalCount() == 0
                  ? Double.NaN
                  : lateness.getValueAtPercentile(99) / 1000.0,
              (confined.isPresent() ? ownRunnable(seconds) : runnable()) / cores,
              cores,
              machine().busySince(counters.machine))
          .with(arrivals.map(OpenLoad::read));
    }
  }

  private MachineTimes machine() {
    return confined.map(MachineTimes::read).orElseGet(MachineTimes::read);
  }

  private double runnable() {
    return counters.looks == 0 ? Double.NaN : counters.runnable / counters.looks;
  }

  /** Returns how many of the own threads ran or waited for a core on average. */
  private double ownRunnable(double seconds) {
    Map<String, Long> now = OwnCores.demands();
    return now.isEmpty()
        ? Double.NaN
        : now.entrySet().stream()
                .mapToLong(one -> one.getValue() - counters.demands.getOrDefault(one.getKey(), 0L))
                .sum()
            / 1e9
            / seconds;
  }

  private void noteCollection(Notification event) {
    if (event.getUserData() instanceof CompositeData data) {
      long millis = GarbageCollectionNotificationInfo.from(data).getGcInfo().getDuration();
      synchronized (lock) {
        counters.gcMillis += millis;
        counters.longestGcMillis = Math.max(counters.longestGcMillis, millis);
      }
    }
  }

  private void tick() {
    long due = System.nanoTime();
    while (true) {
      due += TICK_NANOS;
      long left;
      while ((left = due - System.nanoTime()) > 0) {
        LockSupport.parkNanos(left);
      }
      long late = -left;
      synchronized (lock) {
        counters.latenessMicros.recordValue(
            Math.min(LONGEST_MICROS, TimeUnit.NANOSECONDS.toMicros(late)));
      }
      due = Math.max(due, System.nanoTime() - TICK_NANOS);
    }
  }

  /** Looks at exponentially distributed distances, so that looks see averages over time. */
  private void watchQueue() {
    SplittableRandom random = new SplittableRandom();
    while (true) {
      long due = System.nanoTime() + (long) (-LOOK_NANOS * Math.log(1 - random.nextDouble()));
      long left;
      while ((left = due - System.nanoTime()) > 0) {
        LockSupport.parkNanos(left);
      }
      look();
    }
  }

  /**
   * Records the runnable threads of the machine without this one; see proc_loadavg(5), fourth
   * field.
   */
  private void look() {
    try {
      String fourth = Files.readString(LOAD).split(" ", -1)[3];
      double runnable = Double.parseDouble(fourth.substring(0, fourth.indexOf('/'))) - 1;
      synchronized (lock) {
        counters.runnable += Math.max(0, runnable);
        counters.looks++;
      }
    } catch (IOException notLinux) {
      // The health is NaN where the platform does not report it.
    }
  }
}
