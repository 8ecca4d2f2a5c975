package io.slicewise.host;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that sets on its own what knobs set: a value that it changes in a window excludes that
 * window, and one that it sets again undoes the knob.
 *
 * @param program its process's name, of which Linux keeps 15 characters
 * @param does what it sets, and when
 * @param stop the command that ends it until the host boots
 * @param knobs the knobs that it sets, too, by their keys
 */
public record Rival(String program, String name, String does, String stop, Set<String> knobs) {
  private static final Set<String> PLACES =
      Set.of(
          "affinity", "soft-affinity", "pinning", "emulator-pinning", "iothread-pinning", "cpus");

  private static final List<Rival> KNOWN =
      List.of(
          new Rival(
              "tuned",
              "TuneD",
              "sets what its profile names when it starts or changes its profile",
              "tuned-adm off",
              Set.of(
                  "governor",
                  "huge-pages",
                  "huge-page-defrag",
                  "swappiness",
                  "numa-balancing",
                  "base-slice-ns",
                  "halt-poll-ns",
                  "io-scheduler",
                  "read-ahead-kb")),
          systemd(
              "power-profiles-",
              "power-profiles-daemon",
              "sets the governor when its profile or the power supply changes",
              Set.of("governor")),
          systemd(
              "auto-cpufreq",
              "auto-cpufreq",
              "sets the governor every few seconds",
              Set.of("governor")),
          systemd(
              "irqbalance",
              "irqbalance",
              "moves interrupts between CPUs every 10 s, also to those that vCPUs are pinned to",
              PLACES),
          systemd(
              "numad",
              "numad",
              "binds processes, also those of guests, to NUMA nodes",
              Stream.concat(PLACES.stream(), Stream.of("numa-balancing"))
                  .collect(Collectors.toUnmodifiableSet())),
          new Rival(
              "xapi",
              "XAPI",
              "sets weight, cap and affinity from its database when a guest starts",
              "xe vm-param-set",
              Set.of("weight", "cap", "affinity", "vcpus")));

  private static Rival systemd(String program, String name, String does, Set<String> knobs) {
    return new Rival(program, name, does, "systemctl stop " + name, knobs);
  }

  /** Returns those that run on a host. */
  public static List<Rival> on(RemoteShell shell) {
    Set<String> programs =
        shell
            .run(Command.reading("sh", "-c", "cat /proc/[0-9]*/comm 2>/dev/null"))
            .standardOutput()
            .lines()
            .map(String::strip)
            .collect(Collectors.toSet());
    return KNOWN.stream().filter(rival -> programs.contains(rival.program())).toList();
  }

  /** Returns which of these knobs it sets, too, in alphabetical order. */
  public List<String> among(Set<String> keys) {
    return new TreeSet<>(keys).stream().filter(knobs::contains).toList();
  }
}
