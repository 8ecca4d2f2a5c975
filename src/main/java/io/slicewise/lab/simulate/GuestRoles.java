package io.slicewise.lab.simulate;

import io.slicewise.experiment.Experiment;
import io.slicewise.lab.sim.Place;
import io.slicewise.profile.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Assigns domains to the places of each modelled workload. */
final class GuestRoles {
  static final String WEB_APP = "web-app";
  static final String OBSERVE = "observe";

  /** The workloads that have a model. */
  static final Set<String> WORKLOADS = Set.of(WEB_APP, "portal", "vps", "tpcb", OBSERVE);

  private GuestRoles() {}

  /**
   * Returns the domains by place, for each group of users: several for private servers, one for
   * each; none if nothing is loaded. Main guests take the places in their order; the last is used
   * for missing ones.
   */
  static List<Map<Place, String>> of(Experiment experiment) {
    List<String> main = experiment.domains().getOrDefault(Role.MAIN, List.of());
    return switch (experiment.workload().name()) {
      case OBSERVE -> List.of();
      case "vps" -> main.stream().map(guest -> roles(List.of(guest), Place.WEB)).toList();
      case "tpcb" -> List.of(roles(main, Place.DATABASE));
      case "portal" -> List.of(roles(main, Place.WEB, Place.DATABASE));
      default -> List.of(roles(main, Place.WEB, Place.FILE, Place.DATABASE));
    };
  }

  private static Map<Place, String> roles(List<String> main, Place... places) {
    Map<Place, String> roles = new EnumMap<>(Place.class);
    roles.put(Place.DOM0, HostModel.DOM0);
    List<String> guests = new ArrayList<>(main);
    for (Place place : places) {
      roles.put(place, guests.size() > 1 ? guests.remove(0) : guests.get(0));
    }
    return roles;
  }
}
