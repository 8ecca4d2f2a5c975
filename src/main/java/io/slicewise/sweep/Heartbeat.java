package io.slicewise.sweep;

import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.deadman.HostSwitch;
import io.slicewise.sweep.deadman.SwitchReport;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Confirms to a switch on the host, regularly, that the run is alive. */
final class Heartbeat implements AutoCloseable {
  private static final int BEATS_PER_LIMIT = 6;
  private static final long LONGEST_MILLIS = 30_000;

  private final HostSwitch there;
  private final AtomicLong number = new AtomicLong();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Heartbeat::thread);

  private Heartbeat(HostSwitch there) {
    this.there = there;
  }

  /**
   * Starts the heartbeat.
   *
   * @param limit without a heartbeat after which the switch acts
   */
  static Heartbeat of(HostSwitch there, Duration limit) {
    Heartbeat heartbeat = new Heartbeat(there);
    long millis = Math.min(LONGEST_MILLIS, limit.toMillis() / BEATS_PER_LIMIT);
    var unused =
        heartbeat.timer.scheduleWithFixedDelay(
            heartbeat::tryBeat, 0, millis, TimeUnit.MILLISECONDS);
    return heartbeat;
  }

  /** Sends a heartbeat now and returns the answer. */
  SwitchReport beat() {
    return there.beat(Long.toString(number.incrementAndGet()));
  }

  /** A failed one is repeated; if none gets through, the run notices the lost host itself. */
  private void tryBeat() {
    try {
      beat();
    } catch (RemoteShellException | IllegalStateException unheard) {
      return;
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "heartbeat");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() {
    timer.shutdown();
  }
}
