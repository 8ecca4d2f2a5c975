package io.slicewise.experiment;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.host.Hypervisors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The {@code host} part: {@code local}, or an address and how to reach it. */
final class HostReader {
  static final String LOCAL = "local";
  private static final String THIS_MACHINE = "localhost";

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private HostReader() {}

  static Optional<HostSpec> read(YamlValue value, Path file) {
    if (value.isText()) {
      return value.oneOf(List.of(LOCAL)).map(word -> local());
    }
    return value.map(ExperimentKeys.HOST, " of host").map(map -> read(map, file));
  }

  private static HostSpec local() {
    return new HostSpec(
        THIS_MACHINE,
        true,
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Defaults.SUDO,
        Optional.empty(),
        Optional.empty(),
        HostLimits.DEFAULT);
  }

  private static HostSpec read(YamlMap map, Path file) {
    boolean local = map.get(LOCAL).flatMap(YamlValue::bool).orElse(false);
    if (local) {
      ExperimentKeys.SSH_ONLY.stream()
          .flatMap(key -> map.get(key).stream())
          .forEach(value -> value.refuse("has no meaning beside 'local: true'"));
    }
    return new HostSpec(
        local ? THIS_MACHINE : text(map, "address", true).orElse(THIS_MACHINE),
        local,
        text(map, "user", false),
        map.get("port")
            .flatMap(value -> value.integer(1, 65535))
            .map(OptionalInt::of)
            .orElse(OptionalInt.empty()),
        path(map, "identity", file),
        path(map, "known-hosts", file),
        map.get("sudo").flatMap(YamlValue::bool).orElse(Defaults.SUDO),
        text(map, "cpupool", false),
        map.get("toolstack").flatMap(value -> value.oneOf(Hypervisors.toolstacks())),
        new HostLimits(
            limit(map, "sign-in-limit", HostLimits.DEFAULT.signIn()),
            limit(map, "command-limit", HostLimits.DEFAULT.command())));
  }

  private static Duration limit(YamlMap map, String key, Duration absent) {
    Optional<YamlValue> value = map.get(key);
    Duration limit = value.flatMap(text -> text.parsed(DurationText::parse)).orElse(absent);
    boolean fits = limit.compareTo(SHORTEST) >= 0 && limit.compareTo(LONGEST) <= 0;
    if (!fits) {
      value.ifPresent(text -> text.refuse("must be from 1s to 1h"));
      return absent;
    }
    return limit;
  }

  private static Optional<Path> path(YamlMap map, String key, Path file) {
    return text(map, key, false)
        .flatMap(text -> map.get(key).orElseThrow().parsed(path -> Paths.besides(file, path)));
  }

  private static Optional<String> text(YamlMap map, String key, boolean required) {
    Optional<YamlValue> value = required ? map.required(key) : map.get(key);
    Optional<String> text = value.flatMap(YamlValue::text);
    // A word that begins with a dash would be read as an option by the programs it is given to.
    if (text.filter(word -> word.startsWith("-")).isPresent()) {
      value.orElseThrow().refuse("must not begin with a dash");
    }
    return text;
  }
}
