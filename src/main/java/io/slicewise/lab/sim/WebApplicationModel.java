package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.Vcpu.WorkQueue;
import io.slicewise.lab.sim.WebApplicationModel.Route.Visit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * A model of the web application. In a closed load, users send a request, wait for the page, think,
 * and send the next; in an open one, requests arrive at random. A request visits the web server,
 * the database, the file server and the disk; Domain-0 handles every packet and block between them.
 *
 * <p>Each visit's time is exponential around its demand divided by the number of visits. The disk
 * is one server, first come first served, and uses no CPU.
 */
public final class WebApplicationModel {
  /** The domains of the places. */
  public record Layout(int web, int database, int file, int dom0) {}

  /** Receives every page when it reaches the user. */
  @FunctionalInterface
  public interface PageListener {
    void page(long sentNanos, long answeredNanos);
  }

  private final Machine machine;
  private final int users;
  private final long thinkNanos;
  private final PageListener listener;
  private final Exponential chance;
  private final Place[] places;
  private final int[] domids;
  private final long[] meanNanos;
  private final Disk disk = new Disk();
  private final Deque<User> idle = new ArrayDeque<>();
  private boolean open;

  /**
   * Creates a model of {@code users} on a machine; it begins with {@link #start}.
   *
   * @param think time between a page and the user's next request; zero for none
   */
  public WebApplicationModel(
      Machine machine,
      Layout layout,
      Route route,
      Demands demands,
      int users,
      Duration think,
      long seed,
      PageListener listener) {
    this.machine = machine;
    this.users = users;
    this.thinkNanos = think.toNanos();
    this.listener = Objects.requireNonNull(listener);
    this.chance = new Exponential(seed);
    Route needed = route.needed(demands);
    places = needed.visits().stream().map(Route.Visit::place).toArray(Place[]::new);
    domids = Arrays.stream(places).mapToInt(place -> domid(layout, place)).toArray();
    meanNanos =
        needed.visits().stream().mapToLong(visit -> needed.meanNanos(demands, visit)).toArray();
  }

  private static int domid(Layout layout, Place place) {
    return switch (place) {
      case DOM0, DISK -> layout.dom0();
      case WEB -> layout.web();
      case DATABASE -> layout.database();
      case FILE -> layout.file();
    };
  }

  /** Sends the users' first requests in order, spread over {@code ramp}. */
  public void start(Duration ramp) {
    for (int i = 0; i < users; i++) {
      machine.at(machine.now() + ramp.toNanos() / users * i, new User());
    }
  }

  /**
   * Sends requests at random times instead, whether or not earlier ones are answered; there is
   * always another user.
   */
  public void arrive(double perSecond) {
    open = true;
    long meanNanos = Math.round(TimeUnit.SECONDS.toNanos(1) / perSecond);
    machine.at(machine.now() + chance.next(meanNanos), new Arrivals(meanNanos));
  }

  /** Each arrival takes an idle user and sets the time of the next. */
  private final class Arrivals implements LongConsumer {
    private final long meanNanos;

    Arrivals(long meanNanos) {
      this.meanNanos = meanNanos;
    }

    @Override
    public void accept(long nanos) {
      machine.at(nanos + chance.next(meanNanos), this);
      User user = idle.isEmpty() ? new User() : idle.pop();
      user.accept(nanos);
    }
  }

  /** One server; first come, first served. */
  private final class Disk implements LongConsumer {
    private final WorkQueue waiting = new WorkQueue();
    private LongConsumer served;

    void serve(long nanos, long neededNanos, LongConsumer done) {
      if (served != null) {
        waiting.add(neededNanos, done);
      } else {
        served = done;
        machine.at(nanos + neededNanos, this);
      }
    }

    @Override
    public void accept(long nanos) {
      LongConsumer done = served;
      served = null;
      if (!waiting.isEmpty()) {
        long needed = waiting.burstNanos();
        LongConsumer next = waiting.completion();
        waiting.drop();
        serve(nanos, needed, next);
      }
      done.accept(nanos);
    }
  }

  private final class User implements LongConsumer {
    private int step;
    private long sentNanos;

    /** Called at the end of the previous visit or of the think time. */
    @Override
    public void accept(long nanos) {
      if (step == places.length) {
        step = 0;
        listener.page(sentNanos, nanos);
        if (open) {
          idle.push(this);
          return;
        }
        if (thinkNanos > 0) {
          machine.at(nanos + thinkNanos, this);
          return;
        }
      }
      if (step == 0) {
        sentNanos = nanos;
      }
      visit(nanos, step++);
    }

    private void visit(long nanos, int visit) {
      long needed = chance.next(meanNanos[visit]);
      if (places[visit] == Place.DISK) {
        disk.serve(nanos, needed, this);
      } else {
        machine.submit(domids[visit], needed, this);
      }
    }
  }

  /**
   * The steps of one page view of the sample web application, in order, and the places that each
   * visits. Every step except rendering passes through Domain-0. The embedded lab charges its
   * guests for each step of the real application; {@link Route#PAGE_VIEW} consists of all steps.
   */
  public enum PageStep {
    RECEIVE,
    SIGN_IN_QUERY,
    LOG_INSERT,
    CONTENT_QUERY,
    HEADER_FILE,
    FOOTER_FILE,
    RENDER,
    SEND;

    /** The visits of the step, in order; weights are shares of those of {@link Route#PAGE_VIEW}. */
    public List<Visit> visits() {
      return switch (this) {
        case RECEIVE -> List.of(new Visit(Place.DOM0, 1), new Visit(Place.WEB, 15));
        case SIGN_IN_QUERY, CONTENT_QUERY -> query(3);
        case LOG_INSERT -> query(4);
        case HEADER_FILE, FOOTER_FILE ->
            List.of(new Visit(Place.WEB, 5), new Visit(Place.DOM0, 1), new Visit(Place.FILE, 1));
        case RENDER -> List.of(new Visit(Place.WEB, 35));
        case SEND -> List.of(new Visit(Place.WEB, 10), new Visit(Place.DOM0, 2));
      };
    }

    private static List<Visit> query(int weight) {
      return List.of(
          new Visit(Place.WEB, 10), new Visit(Place.DOM0, 1), new Visit(Place.DATABASE, weight));
    }
  }

  /** The visits of one request, in order, which divide each place's demand. */
  public record Route(List<Visit> visits) {
    /** One visit; its mean is the share of its weight in the route's total for the place. */
    public record Visit(Place place, int weight) {}

    /**
     * The route of the 2010 study's application, as far as known from its tables: one query, one
     * file, one disk.
     */
    public static final Route STUDY_2010 =
        new Route(
            Stream.of(
                    Place.DOM0,
                    Place.WEB,
                    Place.DOM0,
                    Place.DATABASE,
                    Place.DOM0,
                    Place.DISK,
                    Place.WEB,
                    Place.DOM0,
                    Place.FILE,
                    Place.WEB,
                    Place.DOM0)
                .map(place -> new Visit(place, 1))
                .toList());

    /** Every step of the sample web application; waits off the CPUs come last. */
    public static final Route PAGE_VIEW =
        new Route(
            Stream.concat(
                    Arrays.stream(PageStep.values()).flatMap(step -> step.visits().stream()),
                    Stream.of(new Visit(Place.DISK, 1)))
                .toList());

    public Route {
      visits = List.copyOf(visits);
    }

    /** Mean time of a visit under these demands, in nanoseconds. */
    public long meanNanos(Demands demands, Visit visit) {
      int all = 0;
      for (Visit each : visits) {
        all += each.place() == visit.place() ? each.weight() : 0;
      }
      return demands.at(visit.place()).toNanos() * visit.weight() / all;
    }

    /** The route without visits that take no time under these demands. */
    Route needed(Demands demands) {
      List<Visit> needed = new ArrayList<>(visits);
      needed.removeIf(visit -> demands.at(visit.place()).isZero());
      return new Route(needed);
    }
  }

  /**
   * Exponential variates from a table of 2^11 quantiles in fixed point: several times as fast as
   * logarithms; the mean is accurate to 1 in 10,000 and the tail ends at 8 times the mean.
   */
  public static final class Exponential {
    private static final int BITS = 11;
    private static final int FRACTION_BITS = 16;
    private static final int[] QUANTILES = quantiles();

    private final SplittableRandom random;

    public Exponential(long seed) {
      random = new SplittableRandom(seed);
    }

    private static int[] quantiles() {
      int size = 1 << BITS;
      double[] quantiles = new double[size];
      double sum = 0;
      for (int i = 0; i < size; i++) {
        quantiles[i] = -Math.log((i + 0.5) / size);
        sum += quantiles[i];
      }
      int[] fixed = new int[size];
      for (int i = 0; i < size; i++) {
        fixed[i] = (int) Math.round(quantiles[i] * (size / sum) * (1 << FRACTION_BITS));
      }
      return fixed;
    }

    /** A variate around this mean, which may be up to 10^13. */
    public long next(long mean) {
      return (QUANTILES[random.nextInt() >>> (Integer.SIZE - BITS)] * mean) >> FRACTION_BITS;
    }
  }
}
