package io.slicewise.lab.simulate;

import io.slicewise.experiment.Experiment;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.profile.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Assigns domains to the places of each modelled workload. */
final class GuestRoles {
  static final String WEB_APP = "web-app";
  static final String OBSERVE = "observe";

  private static final String VPS = "vps";
  private static final String GUESTS = "guests";

  /** The workloads that have a model. */
  static final Set<String> WORKLOADS = Set.of(WEB_APP, "portal", VPS, "tpcb", OBSERVE);

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
      case VPS -> main.stream().map(guest -> roles(List.of(guest), Place.WEB)).toList();
      case "tpcb" -> List.of(roles(main, Place.DATABASE));
      case "portal" -> List.of(roles(main, Place.WEB, Place.DATABASE));
      default -> List.of(roles(main, Place.WEB, Place.FILE, Place.DATABASE));
    };
  }

  /**
   * Returns the experiment with its private servers by name: a file for the lab leaves them to the
   * lab, and how many users there are follows from them. Nobody sends to their addresses.
   */
  static Experiment named(Experiment experiment) {
    if (!experiment.workload().name().equals(VPS)
        || experiment.workload().options().containsKey(GUESTS)) {
      return experiment;
    }
    Map<String, Object> options = new LinkedHashMap<>(experiment.workload().options());
    options.put(
        GUESTS,
        experiment.domains().getOrDefault(Role.MAIN, List.of()).stream()
            .map(guest -> Map.of("name", guest, "target", "http://simulated.invalid/"))
            .toList());
    return experiment.withWorkload(experiment.workload().with(options));
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
