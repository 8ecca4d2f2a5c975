package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Transactions on other guests' databases during a trial, as fast as the clients can. They end with
 * this process.
 */
final class Interference implements AutoCloseable {
  private static final long JOIN_SECONDS = 10;

  private final List<Thread> clients = new ArrayList<>();
  private final LongAdder moved = new LongAdder();
  private final ConcurrentLinkedQueue<SlicewiseException> faults = new ConcurrentLinkedQueue<>();
  private final long began = System.nanoTime();
  private volatile boolean stopped;

  private Interference() {}

  /**
   * Starts clients on each of the databases, whose tables exist.
   *
   * @param guests by the guest's name
   */
  static Interference start(Map<String, Database> guests, int scale, int clients) {
    Interference started = new Interference();
    guests.forEach(
        (guest, database) -> {
          for (int number = 1; number <= clients; number++) {
            started.add(guest, database, scale, number);
          }
        });
    return started;
  }

  private void add(String guest, Database database, int scale, int number) {
    Thread client =
        new Thread(() -> run(guest, database, scale, number), "interference-" + guest + number);
    client.setDaemon(true);
    clients.add(client);
    client.start();
  }

  private void run(String guest, Database database, int scale, int number) {
    SplittableRandom random = new SplittableRandom(number);
    try (TpcbClient client = new TpcbClient(database, TpcbClient.Settings.USUAL, scale, random)) {
      while (!stopped) {
        client.move();
        moved.increment();
      }
    } catch (SQLException fault) {
      faults.add(
          new SlicewiseException(
              ErrorKind.TRIAL_FAILED,
              "the interference of guest %s failed: %s"
                  .formatted(guest, database.fault("running a transaction", fault).getMessage()),
              "the trial did not have the planned interference",
              fault));
    } catch (SlicewiseException fault) {
      faults.add(fault);
    }
  }

  /** Transactions per second of all clients since the start. */
  double rate() {
    double seconds = Duration.ofNanos(System.nanoTime() - began).toMillis() / 1000.0;
    return seconds > 0 ? moved.sum() / seconds : Double.NaN;
  }

  /**
   * Ends all clients.
   *
   * @throws SlicewiseException if one of them failed
   */
  @Override
  public void close() {
    stopped = true;
    for (Thread client : clients) {
      try {
        client.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (!faults.isEmpty()) {
      throw faults.peek();
    }
  }
}
