package io.slicewise.experiment.file;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The guests by role.
 *
 * @param control the control domain, which always takes part; empty if the host has none
 */
record DomainsSection(Optional<String> control) implements OptionKind {
  private static final String MAIN = Role.MAIN.key();
  private static final String OTHER = Role.OTHER.key();
  static final List<String> KEYS = List.of(MAIN, OTHER);

  @Override
  public Map<String, Object> schema() {
    Map<String, Object> main = list("Guests the workload loads.");
    main.put("minItems", 1);
    Map<String, Object> other = list("Further guests whose settings may change.");
    other.put("default", List.of());
    return OptionKind.ordered(
        "type",
        "object",
        "required",
        List.of(MAIN),
        "additionalProperties",
        false,
        "properties",
        OptionKind.ordered(MAIN, main, OTHER, other));
  }

  private Map<String, Object> list(String description) {
    List<Object> rules = new ArrayList<>(List.of(new Argument().schema()));
    control.ifPresent(name -> rules.add(Map.of("not", Map.of("const", name))));
    return OptionKind.ordered(
        "description",
        description,
        "type",
        "array",
        "uniqueItems",
        true,
        "items",
        Map.of("allOf", rules));
  }

  @Override
  public String example() {
    return "{main: [guest]}";
  }

  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    Map<String, Object> domains = new LinkedHashMap<>();
    Set<String> seen = new HashSet<>();
    value
        .map(KEYS, " of domains")
        .ifPresent(
            map -> {
              map.required(MAIN).ifPresent(list -> domains.put(MAIN, names(list, seen, true)));
              map.get(OTHER).ifPresent(list -> domains.put(OTHER, names(list, seen, false)));
            });
    return Optional.of(domains);
  }

  private List<String> names(YamlValue list, Set<String> seen, boolean needed) {
    List<String> names = new ArrayList<>();
    for (YamlValue item : list.items()) {
      item.text()
          .ifPresent(
              name -> {
                if (control.filter(name::equals).isPresent()) {
                  item.refuse("is dom0, which always has its own role");
                } else if (Scope.DOMAIN.nameFault(name).isPresent()) {
                  item.refuse(Scope.DOMAIN.nameFault(name).get());
                } else if (!seen.add(name)) {
                  item.refuse("is listed twice");
                } else {
                  names.add(name);
                }
              });
    }
    if (needed && list.isList() && list.items().isEmpty()) {
      list.refuse("must list at least one domain");
    }
    return names;
  }

  static YamlWriter write(Map<Role, List<String>> domains) {
    YamlWriter written = new YamlWriter();
    for (Role role : List.of(Role.MAIN, Role.OTHER)) {
      written.put(role.key(), Optional.of(domains.getOrDefault(role, List.of())));
    }
    return written;
  }
}
