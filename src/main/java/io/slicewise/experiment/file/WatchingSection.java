package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Distinct;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.Watching.Login;
import io.slicewise.ssh.SshLogin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@code logins} and {@code watch} parts of an experiment file. */
public final class WatchingSection {
  private static final String SERIES = "series";
  private static final String NEEDED = "needed";
  private static final OptionKind PERIOD =
      new Quantity.Time(Duration.ofMillis(200), Duration.ofMinutes(10));

  /** The keys of {@code watch}. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              SERIES,
              PERIOD,
              "how often machines are read during the window, 200ms to 10m; default: only at its"
                  + " ends"),
          Option.optional(
              NEEDED,
              new Distinct(new OptionKind.Argument(), "machine"),
              "the machines without which a trial does not count; default: none"));

  private WatchingSection() {}

  static Option logins(List<String> guests, Optional<String> control, boolean addressed) {
    return Option.optional(
        "logins",
        new LoginsKind(guests, control, addressed),
        "how to sign in to guests to read their kernels' counters; default: not read");
  }

  /**
   * Reads both parts.
   *
   * @param guests the domains of the experiment without the control domain
   */
  static Watching read(
      YamlMap top, Path file, List<String> guests, Optional<String> control, boolean addressed) {
    Map<String, Object> read =
        Option.readAll(List.of(logins(guests, control, addressed)), top, file, true);
    Options watch = Option.read(OPTIONS, top.get("watch"), " of watch", file);
    Map<String, Login> logins = new LinkedHashMap<>();
    new Options(read)
        .group("logins")
        .ifPresent(all -> all.values().forEach((name, login) -> logins.put(name, (Login) login)));
    List<String> needed = watch.many(NEEDED, String.class);
    for (String machine : needed) {
      if (!logins.containsKey(machine) && control.filter(machine::equals).isEmpty()) {
        List<String> known = new ArrayList<>(logins.keySet());
        control.ifPresent(known::add);
        top.fault(
            "watch",
            "watch needs %s, for which there is no login; known are %s"
                .formatted(machine, known.isEmpty() ? "none" : String.join(", ", known)));
      }
    }
    return new Watching(logins, watch.optionalTime(SERIES), needed);
  }

  static void write(Watching watching, YamlWriter into) {
    YamlWriter logins = new YamlWriter();
    watching.logins().forEach((name, login) -> logins.put(name, LoginsKind.write(login)));
    into.put("logins", logins)
        .put(
            "watch",
            new YamlWriter().put(SERIES, watching.series()).put(NEEDED, watching.needed()));
  }

  /**
   * Logins by domain; {@code defaults} completes each of them.
   *
   * @param guests the domains of the experiment
   * @param control the control domain, which is reached through {@code host}
   * @param addressed whether a login needs an address
   */
  private record LoginsKind(List<String> guests, Optional<String> control, boolean addressed)
      implements OptionKind {
    private static final String DEFAULTS = "defaults";
    private static final String ADDRESS = "address";
    private static final String SERVICE = "service";
    private static final String DISKS = "disks";
    private static final String STORAGE = "storage";

    private static final OptionKind WORD = new OptionKind.Argument();

    /** The keys of one login, of which {@code defaults} may set those of SSH. */
    private static final List<Option> KEYS =
        Option.join(
            List.of(
                Option.optional(ADDRESS, WORD, "[user@]host[:port], or an alias of ~/.ssh/config")),
            SshLogin.OPTIONS,
            List.of(
                Option.optional(
                    SERVICE,
                    WORD,
                    "a systemd unit whose control group is read too, without .service"),
                Option.optional(
                    DISKS,
                    new Distinct(WORD, "disk"),
                    "the disks to show; default: all that are used"),
                Option.withDefault(
                    STORAGE,
                    new OptionKind.Flag(),
                    false,
                    "whether it serves disks to guests; it need not be among 'domains' then")));

    @Override
    public Map<String, Object> schema() {
      return OptionKind.ordered(
          "type",
          "object",
          "properties",
          Map.of(DEFAULTS, new Group(SshLogin.OPTIONS).schema()),
          "additionalProperties",
          new Group(KEYS).schema());
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
          .flatMap(value -> value.map(Option.names(SshLogin.OPTIONS), " of defaults"))
          .ifPresent(values -> common.putAll(Option.readAll(SshLogin.OPTIONS, values, file, true)));
      Map<String, Login> logins = new LinkedHashMap<>();
      for (String name : map.keys()) {
        if (!name.equals(DEFAULTS)) {
          map.get(name)
              .flatMap(value -> value.map(Option.names(KEYS), " of login " + name))
              .ifPresent(
                  login -> {
                    Map<String, Object> values = new LinkedHashMap<>(common);
                    values.putAll(Option.readAll(KEYS, login, file, true));
                    check(map, name, values);
                    SshLogin.checkAddress(login, new Options(values));
                    logins.put(name, login(new Options(values)));
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

    private static Login login(Options login) {
      return new Login(
          login.text(ADDRESS),
          SshLogin.of(login, ""),
          login.text(SERVICE),
          login.many(DISKS, String.class),
          login.flag(STORAGE));
    }

    static YamlWriter write(Login login) {
      return login
          .ssh()
          .write(new YamlWriter().put(ADDRESS, login.address()), "")
          .put(SERVICE, login.service())
          .put(DISKS, login.disks())
          .put(STORAGE, login.storage());
    }
  }
}
