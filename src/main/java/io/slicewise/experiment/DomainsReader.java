package io.slicewise.experiment;

import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.profile.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The {@code domains} part: which domain plays which role. */
final class DomainsReader {
  private DomainsReader() {}

  /**
   * Reads it.
   *
   * @param control the control domain's name, which always takes part; empty if the host has none
   */
  static Map<Role, List<String>> read(YamlMap top, Optional<String> control) {
    Map<Role, List<String>> domains = new EnumMap<>(Role.class);
    domains.put(Role.DOM0, control.stream().toList());
    top.required("domains")
        .flatMap(value -> value.map(ExperimentKeys.DOMAINS, " of domains"))
        .ifPresent(
            map -> {
              Set<String> seen = new HashSet<>();
              map.required("main")
                  .ifPresent(value -> domains.put(Role.MAIN, names(value, control, seen, true)));
              map.get("other")
                  .ifPresent(value -> domains.put(Role.OTHER, names(value, control, seen, false)));
            });
    domains.putIfAbsent(Role.MAIN, List.of());
    domains.putIfAbsent(Role.OTHER, List.of());
    return domains;
  }

  private static List<String> names(
      YamlValue list, Optional<String> control, Set<String> seen, boolean needed) {
    List<String> names = new ArrayList<>();
    for (YamlValue item : list.items()) {
      item.text()
          .ifPresent(
              name -> {
                if (control.filter(name::equals).isPresent()) {
                  item.refuse("is dom0, which always takes part in its own role");
                } else if (!seen.add(name)) {
                  item.refuse("is listed twice");
                } else {
                  names.add(name);
                }
              });
    }
    if (needed && list.isList() && list.items().isEmpty()) {
      list.refuse("must name at least one domain");
    }
    return names;
  }
}
