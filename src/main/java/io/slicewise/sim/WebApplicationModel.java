package io.slicewise.sim;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * A closed model of the web application: so many users who send a request, wait for the page,
 * think, and send the next. A request visits the web server, the database, the file server and the
 * disk; Domain-0 works for every packet and block between them.
 *
 * <p>Each visit's time is exponential around its demand divided by the number of visits. The disk
 * is one server, first come first served, and takes no CPU of its own.
 */
public final class WebApplicationModel {
  /**
   * What one request needs in all, on average.
   *
   * @param disk time at the disk, not on any CPU
   */
  public record Demands(
      Duration web, Duration database, Duration file, Duration dom0, Duration disk) {
    /**
     * Of the 2010 study, by the utilisation law D = U / X from its tables for credit at weight 256
     * and 100 users: 12.4, 6.2, 1.7 and 28.3 % of four pCPUs at 94.39 / 1.125 requests/s (its rates
     * are 12.5 % high). No CPU was busy all the time, so something else was: the disk, 1 / X.
     */
    public static final Demands STUDY_2010 =
        new Demands(micros(5912), micros(2956), micros(810), micros(13492), micros(11919));

    private static Duration micros(long micros) {
      return Limits.micros(micros);
    }
  }

  /** The domains that play the parts. */
  public record Layout(int web, int database, int file, int dom0) {}

  /** Is told of every page as it reaches the user. */
  @FunctionalInterface
  public interface PageListener {
    void page(long sentNanos, long answeredNanos);
  }

  /** Where a request goes, one visit after the other. */
  private enum Place {
    DOM0,
    WEB,
    DATABASE,
    FILE,
    DISK
  }

  private static final Place[] ROUTE = {
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
    Place.DOM0
  };

  private final Machine machine;
  private final int users;
  private final long thinkNanos;
  private final PageListener listener;
  private final Exponential chance;
  private final int[] domids = new int[ROUTE.length];
  private final long[] meanNanos = new long[ROUTE.length];
  private final Disk disk = new Disk();

  /**
   * A model of so many users on this machine; nothing happens before {@link #start}.
   *
   * @param think mean time between a page and the next request, exponential; zero for none
   */
  public WebApplicationModel(
      Machine machine,
      Layout layout,
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
    for (int i = 0; i < ROUTE.length; i++) {
      domids[i] = domid(layout, ROUTE[i]);
      meanNanos[i] = demand(demands, ROUTE[i]).toNanos() / visits(ROUTE[i]);
    }
  }

  private static int domid(Layout layout, Place place) {
    return switch (place) {
      case DOM0, DISK -> layout.dom0();
      case WEB -> layout.web();
      case DATABASE -> layout.database();
      case FILE -> layout.file();
    };
  }

  private static Duration demand(Demands demands, Place place) {
    return switch (place) {
      case DOM0 -> demands.dom0();
      case WEB -> demands.web();
      case DATABASE -> demands.database();
      case FILE -> demands.file();
      case DISK -> demands.disk();
    };
  }

  private static int visits(Place place) {
    int visits = 0;
    for (Place visited : ROUTE) {
      visits += visited == place ? 1 : 0;
    }
    return visits;
  }

  /** Lets every user send the first request now. */
  public void start() {
    for (int i = 0; i < users; i++) {
      new User().accept(machine.now());
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

    /** The visit before is over, or the time to think is. */
    @Override
    public void accept(long nanos) {
      if (step == ROUTE.length) {
        step = 0;
        listener.page(sentNanos, nanos);
        if (thinkNanos > 0) {
          machine.at(nanos + chance.next(thinkNanos), this);
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
      if (ROUTE[visit] == Place.DISK) {
        disk.serve(nanos, needed, this);
      } else {
        machine.submit(domids[visit], needed, this);
      }
    }
  }
}
