package io.slicewise.lab.guest;

import io.slicewise.sim.Place;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The first guest is the web server, the second serves files, the third is the database. */
final class WebAppScene implements Scene {
  @Override
  public String name() {
    return "web-app";
  }

  @Override
  public Map<String, Integer> guests() {
    Map<String, Integer> guests = new LinkedHashMap<>();
    guests.put("Apache_Server", 1);
    guests.put("NFS_Server", 2);
    guests.put("MySQL_Server", 2);
    return guests;
  }

  @Override
  public Servers open(Stage stage) {
    Map<Place, String> domains =
        Map.of(
            Place.WEB,
            stage.guest(0),
            Place.FILE,
            stage.guest(1),
            Place.DATABASE,
            stage.guest(2),
            Place.DOM0,
            GuestHost.DOM0);
    return new Play(
        WebGuest.start(
            stage.directory(),
            stage.port(),
            new StepCosts(stage.demands(), domains, stage.times()),
            stage.host()));
  }

  private record Play(WebGuest guest) implements Servers {
    @Override
    public Optional<URI> target() {
      return Optional.of(guest.uri());
    }

    @Override
    public Map<String, Object> options() {
      return guest.databaseOptions();
    }

    @Override
    public void close() {
      guest.close();
    }
  }
}
