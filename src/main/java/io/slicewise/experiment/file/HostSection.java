package io.slicewise.experiment.file;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.HostSpec.HostLimits;
import io.slicewise.host.Hypervisors;
import io.slicewise.ssh.SshLogin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The {@code host} part: {@code local}, or an address and how to reach it. */
public final class HostSection {
  static final String LOCAL = "local";
  static final String DEAD_MAN = "dead-man";
  private static final String THIS_MACHINE = "localhost";
  private static final OptionKind WORD = new OptionKind.Argument();
  private static final OptionKind LIMIT =
      new Quantity.Time(Duration.ofSeconds(1), Duration.ofHours(1));

  /** Returns the options of a host; the toolstacks are those of the supported hypervisors. */
  public static List<Option> options() {
    return Option.join(
        List.of(
            Option.optional("address", WORD, "[user@]host[:port], or an alias of ~/.ssh/config"),
            Option.withDefault(
                LOCAL,
                new OptionKind.Flag(),
                false,
                "whether the hypervisor's tools run on this machine, without SSH")),
        SshLogin.OPTIONS,
        List.of(
            Option.withDefault(
                "sudo",
                new OptionKind.Flag(),
                Defaults.SUDO,
                "whether the hypervisor's tools are called through sudo -n"),
            Option.optional(
                "cpupool", WORD, "the cpupool of the domains; default: the pool of each domain"),
            Option.optional(
                "hypervisor",
                new OptionKind.Word(Hypervisors.products()),
                "default: found by probing"),
            Option.optional(
                "toolstack",
                new OptionKind.Word(Hypervisors.toolstacks()),
                "default: found by probing"),
            Option.withDefault(
                "sign-in-limit",
                LIMIT,
                DurationText.of(HostLimits.DEFAULT.signIn()),
                "time limit for logging in, 1s to 1h"),
            Option.withDefault(
                "command-limit",
                LIMIT,
                DurationText.of(HostLimits.DEFAULT.command()),
                "time limit for one command of the toolstack, 1s to 1h"),
            Option.optional(
                DEAD_MAN,
                new Quantity.Time(Duration.ofSeconds(5), Duration.ofDays(1)),
                "how long after the run's last heartbeat the host restores itself, 5s to 24h; default:"
                    + " never")));
  }

  /** Keys that apply only to a host reached over SSH. */
  static final List<String> SSH_ONLY =
      List.of("address", "user", "port", "identity", "known-hosts", "sign-in-limit");

  private HostSection() {}

  public static Optional<HostSpec> read(YamlValue value, Path file) {
    if (value.isText()) {
      return value
          .oneOf(List.of(LOCAL))
          .map(word -> host(new Options(Option.defaults(options())), true));
    }
    return value.map(Option.names(options()), " of host").map(map -> read(map, file));
  }

  private static HostSpec read(YamlMap map, Path file) {
    Options host = new Options(Option.readAll(options(), map, file, true));
    boolean local = host.flag(LOCAL);
    if (local) {
      SSH_ONLY.stream()
          .flatMap(key -> map.get(key).stream())
          .forEach(value -> value.refuse("has no meaning with 'local: true'"));
    } else {
      map.required("address");
      SshLogin.checkAddress(map, host);
    }
    checkToolstack(map, host);
    return host(host, local);
  }

  private static void checkToolstack(YamlMap map, Options host) {
    Optional<String> toolstack = host.text("toolstack");
    Optional<String> hypervisor = host.text("hypervisor");
    if (toolstack.isPresent()
        && hypervisor.isPresent()
        && !Hypervisors.toolstacksOf(hypervisor.get()).contains(toolstack.get())) {
      map.get("toolstack")
          .ifPresent(
              value ->
                  value.refuse(
                      "is no tool of hypervisor %s, which has %s"
                          .formatted(
                              hypervisor.get(),
                              String.join(", ", Hypervisors.toolstacksOf(hypervisor.get())))));
    }
  }

  private static HostSpec host(Options host, boolean local) {
    return new HostSpec(
        local ? THIS_MACHINE : host.text("address").orElse(THIS_MACHINE),
        local,
        SshLogin.of(host, ""),
        host.flag("sudo"),
        host.text("cpupool"),
        host.text("hypervisor"),
        host.text("toolstack"),
        new HostLimits(host.time("sign-in-limit"), host.time("command-limit")),
        host.optionalTime(DEAD_MAN));
  }

  static YamlWriter write(HostSpec host) {
    YamlWriter written =
        host.local()
            ? new YamlWriter().put(LOCAL, true)
            : new YamlWriter().put("address", host.address());
    return host.login()
        .write(written, "")
        .put("sudo", host.sudo())
        .put("cpupool", host.cpupool())
        .put("hypervisor", host.hypervisor())
        .put("toolstack", host.toolstack())
        .put("sign-in-limit", Optional.of(host.limits().signIn()).filter(any -> !host.local()))
        .put("command-limit", host.limits().command())
        .put(DEAD_MAN, host.deadMan());
  }
}
