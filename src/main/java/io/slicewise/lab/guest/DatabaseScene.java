package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.target.Database;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A PostgreSQL database in every guest; the first guest's is the one that is loaded. They are
 * databases of one real server, each behind a relay of its own: an exchange costs the guest as much
 * CPU time as the real server took for it, and the control domain what carrying it takes.
 *
 * @param names of the guests there are unless somebody asks for others, two vCPUs each
 * @param others whether the workload knows the option {@code others}, databases of other guests
 */
record DatabaseScene(String name, List<String> names, boolean others) implements Scene {
  /** Two packets and their interrupts; of the order that studies of Xen's network give. */
  private static final Duration CARRYING = Duration.ofNanos(60_000);

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
    Play play = new Play(server, new LinkedHashMap<>(), others);
    try {
      for (String guest : stage.guests()) {
        create(server.database(), databaseName(guest));
        int port = play.relays.isEmpty() ? stage.port() : 0;
        play.relays.put(guest, relay(server, guest, port, stage.host()));
      }
      return play;
    } catch (RuntimeException fault) {
      play.close();
      throw fault;
    }
  }

  private static PacedRelay relay(LabDatabase server, String guest, int port, GuestHost host) {
    return PacedRelay.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
        port,
        exchange ->
            host.spend(
                List.of(
                    new Work(GuestHost.DOM0, CARRYING.toNanos()),
                    new Work(guest, exchange.service().toNanos()))));
  }

  private static void create(Database server, String name) {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException fault) {
      throw server.fault("making database " + name, fault);
    }
  }

  private static String databaseName(String guest) {
    return "guest_" + guest.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
  }

  /** The server and its relays by the guest's name. */
  private record Play(LabDatabase server, Map<String, PacedRelay> relays, boolean others)
      implements Servers {
    @Override
    public Optional<URI> target() {
      return Optional.empty();
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
      Database inside = server.database();
      Map<String, Object> options = new LinkedHashMap<>();
      options.put("name", guest);
      options.put(
          "database",
          "jdbc:postgresql://"
              + relay.address().getAddress().getHostAddress()
              + ":"
              + relay.address().getPort()
              + "/"
              + databaseName(guest));
      options.put("database-user", inside.user());
      return options;
    }

    @Override
    public void close() {
      relays.values().forEach(PacedRelay::close);
      server.close();
    }
  }
}
