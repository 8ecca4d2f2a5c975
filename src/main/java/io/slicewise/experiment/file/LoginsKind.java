package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Distinct;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Logins by domain; {@code defaults} completes each of them.
 *
 * @param guests the domains of the experiment
 * @param control the control domain, which is reached through {@code host}
 * @param addressed whether a login needs an address
 */
record LoginsKind(List<String> guests, Optional<String> control, boolean addressed)
    implements OptionKind {
  static final String DEFAULTS = "defaults";
  static final String ADDRESS = "address";
  static final String STORAGE = "storage";

  private static final OptionKind WORD = new OptionKind.Argument();
  private static final OptionKind FILE = new OptionKind.File();

  /** Keys of a login that {@code defaults} may set. */
  private static final List<Option> COMMON =
      List.of(
          Option.optional("user", WORD, "default: from ~/.ssh/config, or your user name"),
          Option.optional(
              "port", new OptionKind.Whole(1, 65_535), "default: from ~/.ssh/config, or 22"),
          Option.optional(
              "identity", FILE, "a private key file; default: SSH's choice, and the agent"),
          Option.optional(
              "known-hosts", FILE, "the file of known host keys; default: ~/.ssh/known_hosts"));

  /** The keys of one login. */
  static final List<Option> OPTIONS =
      List.of(
          Option.optional(ADDRESS, WORD, "a host name, an address, or an alias of ~/.ssh/config"),
          COMMON.get(0),
          COMMON.get(1),
          COMMON.get(2),
          COMMON.get(3),
          Option.optional(
              "service", WORD, "a systemd unit whose control group is read too, without .service"),
          Option.optional(
              "disks", new Distinct(WORD, "disk"), "the disks to show; default: all that are used"),
          Option.withDefault(
              STORAGE,
              new OptionKind.Flag(),
              false,
              "whether it serves disks to guests; it need not be among 'domains' then"));

  @Override
  public Map<String, Object> schema() {
    return OptionKind.ordered(
        "type",
        "object",
        "properties",
        Map.of(DEFAULTS, new Group(COMMON).schema()),
        "additionalProperties",
        new Group(OPTIONS).schema());
  }

  @Override
  public String example() {
    return "{guest: {address: guest.example}}";
  }

  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    return value.anyMap(" of logins").map(map -> read(map, file));
  }

  private Object read(YamlMap map, Path file) {
    Map<String, Object> common = new LinkedHashMap<>();
    map.get(DEFAULTS)
        .flatMap(value -> value.map(Option.names(COMMON), " of defaults"))
        .ifPresent(values -> common.putAll(Option.readAll(COMMON, values, file, true)));
    Map<String, Object> logins = new LinkedHashMap<>();
    for (String name : map.keys()) {
      if (!name.equals(DEFAULTS)) {
        map.get(name)
            .flatMap(value -> value.map(Option.names(OPTIONS), " of login " + name))
            .ifPresent(
                login -> {
                  Map<String, Object> values = new LinkedHashMap<>(common);
                  values.putAll(Option.readAll(OPTIONS, login, file, true));
                  check(map, name, values);
                  logins.put(name, values);
                });
      }
    }
    return logins;
  }

  private void check(YamlMap map, String name, Map<String, Object> login) {
    if (control.filter(name::equals).isPresent()) {
      map.fault(
          name, "login %s is the control domain, which is read through 'host'".formatted(name));
    } else if (!guests.contains(name) && !Boolean.TRUE.equals(login.get(STORAGE))) {
      map.fault(
          name,
          "login %s is not among the domains, which are %s; one that only serves disks needs %s"
              .formatted(name, String.join(", ", guests), "'storage: true'"));
    }
    if (addressed && !login.containsKey(ADDRESS)) {
      map.fault(name, "login %s needs an 'address'".formatted(name));
    }
  }
}
