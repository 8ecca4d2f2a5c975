package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Distinct;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.Watching.Login;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The {@code logins} and {@code watch} parts of an experiment file. */
public final class WatchingReader {
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

  private WatchingReader() {}

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
    Map<String, Login> logins = logins(new Options(read));
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
    return new Watching(
        logins, watch.has(SERIES) ? Optional.of(watch.time(SERIES)) : Optional.empty(), needed);
  }

  private static Map<String, Login> logins(Options read) {
    Map<String, Login> logins = new LinkedHashMap<>();
    read.group("logins")
        .ifPresent(
            all ->
                all.values()
                    .keySet()
                    .forEach(
                        name -> all.group(name).ifPresent(one -> logins.put(name, login(one)))));
    return logins;
  }

  private static Login login(Options login) {
    return new Login(
        login.text(LoginsKind.ADDRESS),
        login.text("user"),
        login.has("port") ? OptionalInt.of(login.integer("port")) : OptionalInt.empty(),
        login.file("identity"),
        login.file("known-hosts"),
        login.text("service"),
        login.many("disks", String.class),
        login.flag(LoginsKind.STORAGE));
  }
}
