package io.slicewise.lab.guest;

import io.slicewise.lab.disk.PageCache;
import io.slicewise.lab.disk.SharedDisk.DiskRequest;
import io.slicewise.lab.disk.SharedDisk.DiskRequest.Kind;
import io.slicewise.lab.disk.SharedDisk.DiskSpec;
import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.lab.guest.PacedRelay.Toll;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A PostgreSQL database in every guest; the load uses the first guest's. They are databases of one
 * real server, each with its own relay, which charges every exchange to the guest and its transport
 * to the control domain.
 *
 * @param names default names of the guests, two vCPUs each
 * @param work the cost of an exchange for the guest
 * @param others whether the workload knows the option {@code others}, databases of other guests
 */
record DatabaseScene(String name, List<String> names, Cost work, boolean others) implements Scene {
  /**
   * The cost of a statement of a short transaction, as a fraction of the database's work for a page
   * view.
   */
  private static final long STATEMENTS = 10;

  /**
   * The cost of transporting an exchange, as a fraction of the control domain's work for a page
   * view.
   */
  private static final long CARRIES = 80;

  /** The cost of an exchange. */
  enum Cost {
    /** As much CPU time as the real server took; correct if nothing waits for locks. */
    AS_SERVED(4096),
    /** Drawn around a tenth of the database's part of a page view. */
    SHORT(1024);

    private final int pages;

    Cost(int pages) {
      this.pages = pages;
    }
  }

  @Override
  public Map<String, Integer> guests() {
    Map<String, Integer> guests = new LinkedHashMap<>();
    names.forEach(guest -> guests.put(guest, 2));
    return guests;
  }

  @Override
  public Servers open(Stage stage) {
    LabDatabase server =
        LabDatabase.start(stage.directory().resolve("database"), LabDatabase.Size.LARGE);
    Play play = new Play(server, new LinkedHashMap<>(), new LinkedHashMap<>(), others);
    try {
      for (String guest : stage.guests()) {
        server.create(databaseName(guest));
        int port = play.relays.isEmpty() ? stage.port() : 0;
        PageCache cache =
            new PageCache(work.pages, stage.disk().map(DiskSpec::workingSet).orElse(1.0));
        play.caches.put(guest, cache);
        play.relays.put(guest, relay(server, guest, port, stage, cache));
      }
      return play;
    } catch (RuntimeException fault) {
      play.close();
      throw fault;
    }
  }

  private PacedRelay relay(
      LabDatabase server, String guest, int port, Stage stage, PageCache cache) {
    InetSocketAddress real = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    return PacedRelay.startEach(
        real,
        port,
        () -> {
          DiskUse use = new DiskUse(guest, cache);
          return exchange -> stage.host().spend(works(exchange, stage, use));
        });
  }

  private List<Work> works(Toll.Exchange exchange, Stage stage, DiskUse use) {
    ServiceTimes times = stage.times();
    List<Work> works = new ArrayList<>();
    works.add(new Work(GuestHost.DOM0, times.draw(stage.demands().dom0().toNanos() / CARRIES)));
    works.addAll(
        switch (work) {
          case AS_SERVED -> use.query(exchange.service().toNanos(), exchange.request(), times);
          case SHORT -> transaction(use, stage);
        });
    return works;
  }

  private static List<Work> transaction(DiskUse use, Stage stage) {
    long nanos = stage.times().draw(stage.demands().database().toNanos() / STATEMENTS);
    return stage.disk().isPresent()
        ? use.transaction(nanos, stage.times())
        : List.of(use.computing(nanos));
  }

  private static String databaseName(String guest) {
    return "guest_" + guest.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
  }

  /** The server, and its relays and the caches by the guest's name. */
  private record Play(
      LabDatabase server,
      Map<String, PacedRelay> relays,
      Map<String, PageCache> caches,
      boolean others)
      implements Servers {
    @Override
    public boolean hasUnit(String guest, String unit) {
      return relays.size() == 1 && unit.equals("postgresql");
    }

    @Override
    public void stop(String guest) {
      server.stop();
    }

    @Override
    public void start(String guest) {
      server.restart();
    }

    @Override
    public void dropCaches(String guest) {
      caches.get(guest).drop();
    }

    @Override
    public Map<String, Object> options() {
      List<Map<String, Object>> databases = new ArrayList<>();
      relays.forEach((guest, relay) -> databases.add(database(guest, relay)));
      Map<String, Object> options = new LinkedHashMap<>(databases.get(0));
      options.remove("name");
      if (others && databases.size() > 1) {
        options.put("others", databases.subList(1, databases.size()));
      }
      return options;
    }

    private Map<String, Object> database(String guest, PacedRelay relay) {
      Map<String, Object> options = new LinkedHashMap<>();
      options.put("name", guest);
      options.putAll(
          server.options(
              "jdbc:postgresql://%s:%d/%s"
                  .formatted(
                      relay.address().getAddress().getHostAddress(),
                      relay.address().getPort(),
                      databaseName(guest))));
      return options;
    }

    @Override
    public void close() {
      relays.values().forEach(PacedRelay::close);
      server.close();
    }
  }

  /**
   * The pages that the exchanges of one connection to a database use. The first use of a page by a
   * connection is a page fault, and a page that its guest does not have in memory is read.
   */
  static final class DiskUse {
    private static final int EXCHANGES_A_COMMIT = 7;

    /** The messages of PostgreSQL's protocol that carry SQL: a query, and one to be prepared. */
    private static final Pattern SQL = Pattern.compile("[QP]\\x00.*", Pattern.DOTALL);

    private static final Pattern TABLES =
        Pattern.compile("\\b(lineitem|orders|customer|part|partsupp|supplier|nation|region)\\b");

    /** CPU time of a query for each page that it scans. */
    private static final long SCAN_NANOS = 2_000;

    /** Pages that one request reads and one fault maps in a scan, as Linux reads and maps ahead. */
    private static final int PAGES_AHEAD = 16;

    private final String guest;
    private final PageCache cache;
    private final BitSet touched;
    private int exchanges;
    private boolean scans;

    DiskUse(String guest, PageCache cache) {
      this.guest = guest;
      this.cache = cache;
      touched = new BitSet(cache.pages());
    }

    /**
     * Returns the work of the next exchange of short transactions. It uses a random page; every
     * seventh exchange is a commit, which writes a page and flushes the disk.
     *
     * @param nanos its CPU time, without its page faults
     */
    List<Work> transaction(long nanos, ServiceTimes random) {
      List<Work> works = pages(nanos, random.below(cache.pages()), 1, random);
      if (++exchanges % EXCHANGES_A_COMMIT == 0) {
        works.add(request(Kind.WRITE, 1));
        works.add(request(Kind.FLUSH, 0));
      }
      return works;
    }

    /** Returns work that uses no page. */
    Work computing(long nanos) {
      return new Work(guest, nanos);
    }

    /**
     * Returns the work of the next exchange of queries. A query of TPC-H's tables scans the more
     * pages the longer it computes; signing in and questions about statistics use none.
     *
     * @param nanos its CPU time, without its page faults
     * @param request what the client sent; without SQL it is the query of before
     */
    List<Work> query(long nanos, String request, ServiceTimes random) {
      if (SQL.matcher(request).matches()) {
        scans = TABLES.matcher(request).find();
      }
      return scans
          ? pages(nanos, 0, (int) Math.min(cache.pages(), nanos / SCAN_NANOS), random)
          : List.of(computing(nanos));
    }

    private List<Work> pages(long nanos, int first, int number, ServiceTimes random) {
      int untouched = 0;
      int missing = 0;
      for (int page = first; page < first + number; page++) {
        untouched += touched.get(page) ? 0 : 1;
        touched.set(page);
        missing += cache.touch(page, random::below) ? 1 : 0;
      }
      int faults = (untouched + PAGES_AHEAD - 1) / PAGES_AHEAD;
      List<Work> works = new ArrayList<>();
      works.add(new Work(guest, nanos, faults, Optional.empty()));
      for (int left = missing; left > 0; left -= PAGES_AHEAD) {
        works.add(request(Kind.READ, Math.min(left, PAGES_AHEAD)));
      }
      return works;
    }

    private Work request(Kind kind, int pages) {
      return new Work(guest, 0, 0, Optional.of(DiskRequest.blocks(kind, pages)));
    }
  }
}
