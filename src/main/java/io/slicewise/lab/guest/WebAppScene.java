package io.slicewise.lab.guest;

import io.slicewise.lab.sim.Place;
import io.slicewise.workload.target.WebApplication;
import java.util.LinkedHashMap;
import java.util.Map;

/** The first guest is the web server, the second the file server, the third the database. */
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
    StepCosts costs = new StepCosts(stage.demands(), domains, stage.times());
    return Site.start(
        stage.directory(),
        stage.port(),
        options -> WebApplication.start(options, step -> stage.host().spend(costs.draw(step))));
  }
}
