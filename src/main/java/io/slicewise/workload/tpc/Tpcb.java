package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.TearDown;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import io.slicewise.workload.Workload;
import io.slicewise.workload.target.Database;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** pgbench's TPC-B-like transaction on one guest, and on others that interfere with it. */
final class Tpcb implements Workload {
  static final String APPLICATION = "slicewise-tpcb";

  private static final String LARGER = "larger-database";

  /** Conditions without neighbours, and the factor of their clients. */
  static final Map<String, Double> LONE =
      Collections.unmodifiableMap(
          new TreeMap<>(
              Map.of("no-change", 1.0, LARGER, 1.0, "more-clients", 4.0, "fewer-clients", 0.25)));

  private static final double LARGER_BY = 1.5;

  private final Path file;
  private final Map<String, String> properties;
  private final Database database;
  private final int scale;
  private final Map<String, Database> interfering;
  private final int clients;
  private final Counted counted;
  private Optional<Interference> interference = Optional.empty();

  /**
   * @param interfering the databases of the guests that interfere, by guest name
   * @param clients on each of them
   * @param counted what the plan counts
   */
  Tpcb(
      Path file,
      Map<String, String> properties,
      Database database,
      int scale,
      Map<String, Database> interfering,
      int clients,
      Counted counted) {
    this.file = file;
    this.properties = Map.copyOf(properties);
    this.database = database;
    this.scale = scale;
    this.interfering = new LinkedHashMap<>(interfering);
    this.clients = clients;
    this.counted = counted;
  }

  @Override
  public Optional<Path> plan() {
    return Optional.of(file);
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  @Override
  public Map<String, Secret> secrets() {
    return Map.of(DatabaseProperties.PASSWORD, database.password());
  }

  /** Only the size of the database is up to the workload. */
  @Override
  public Workload only(String condition) {
    int its = condition.equals(LARGER) ? (int) Math.ceil(LARGER_BY * scale) : scale;
    Map<String, String> all = new LinkedHashMap<>(properties);
    all.put(TpcbType.SCALE, Integer.toString(its));
    return new Tpcb(file, all, database, its, interfering, clients, counted);
  }

  /** Uses the first guests that may interfere; the others stay idle. */
  @Override
  public Workload beside(int neighbours) {
    Map<String, Database> first = new LinkedHashMap<>();
    interfering.entrySet().stream()
        .limit(neighbours)
        .forEach(guest -> first.put(guest.getKey(), guest.getValue()));
    return new Tpcb(file, properties, database, scale, first, clients, counted);
  }

  @Override
  public void setUp() {
    for (Database each : databases()) {
      StaleSessions.end(each, APPLICATION);
      new TpcbSchema(each, scale).create();
    }
    if (!interfering.isEmpty()) {
      interference = Optional.of(Interference.start(interfering, scale, clients));
    }
  }

  private List<Database> databases() {
    List<Database> all = new ArrayList<>(interfering.values());
    all.add(database);
    return all;
  }

  @Override
  public Optional<String> complaint() {
    try {
      databases().forEach(each -> new TpcbSchema(each, scale).check());
      return Optional.empty();
    } catch (SlicewiseException fault) {
      return Optional.of(fault.getMessage());
    }
  }

  /**
   * Ends the interference, compares the books and drops everything, even if a step fails; the first
   * exception is thrown, because a trial whose books disagree does not count.
   */
  @Override
  public void tearDown() {
    List<Runnable> steps = new ArrayList<>();
    interference.ifPresent(running -> steps.add(running::close));
    interference = Optional.empty();
    for (Database each : databases()) {
      TpcbSchema schema = new TpcbSchema(each, scale);
      steps.add(() -> StaleSessions.end(each, APPLICATION));
      steps.add(schema::checkBooks);
      steps.add(schema::drop);
    }
    TearDown.inTurn(steps);
  }

  @Override
  public Counted counted() {
    return counted;
  }

  /** The transaction rate of the interfering guests, as evidence of the interference. */
  @Override
  public List<Measure> measures(Reduction reduction, List<GeneratorSamples> samples) {
    return interference
        .map(running -> List.of(new Measure("interference", "1/s", true, running.rate())))
        .orElse(List.of());
  }

  /**
   * Transactions on other guests' databases during a trial, as fast as the clients can. They end
   * with this process.
   */
  static final class Interference implements AutoCloseable {
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
}
