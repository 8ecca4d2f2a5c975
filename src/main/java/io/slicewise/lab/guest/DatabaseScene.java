package io.slicewise.lab.guest;

import io.slicewise.lab.disk.DiskSpec;
import io.slicewise.lab.disk.PageCache;
import io.slicewise.lab.guest.GuestHost.Work;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
}
