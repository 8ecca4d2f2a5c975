package io.slicewise.lab.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

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
}
