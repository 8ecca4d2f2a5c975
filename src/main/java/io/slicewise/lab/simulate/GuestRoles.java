package io.slicewise.lab.simulate;

import io.slicewise.experiment.Experiment;
import io.slicewise.lab.sim.Place;
import io.slicewise.profile.Role;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Assigns domains to places: the first main guest is the web server, and so on. */
final class GuestRoles {
  private GuestRoles() {}

  /**
   * First main guest: web server; second: files; third: database; the last guest is used for
   * missing ones.
   */
  static Map<Place, String> of(Experiment experiment) {
    List<String> main = experiment.domains().getOrDefault(Role.MAIN, List.of());
    int last = main.size() - 1;
    Map<Place, String> parts = new EnumMap<>(Place.class);
    parts.put(Place.DOM0, HostModel.DOM0);
    parts.put(Place.WEB, main.get(0));
    parts.put(Place.FILE, main.get(Math.min(1, last)));
    parts.put(Place.DATABASE, main.get(Math.min(2, last)));
    return parts;
  }
}
