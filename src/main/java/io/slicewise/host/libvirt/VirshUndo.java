package io.slicewise.host.libvirt;

import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Reading;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The undo of a setting with {@code virsh}. Its current values are unknown when it runs, and cgroup
 * v1 takes quotas in one order only, so the first command removes all quotas.
 */
record VirshUndo(Virsh virsh, ControllerVersion version) {
  private static final String UNLIMITED = "(-1|" + Cfs.UNLIMITED_MICROS + ")";

  /**
   * @param pinned whether the pinning is restored as well
   */
  Undo of(RunningGuest guest, SchedulerParameters found, boolean pinned) {
    SchedulerParameters wanted =
        pinned
            ? found
            : found.with(
                Cfs.PINNING, SchedulerParameters.defaults(found.scheduler()).get(Cfs.PINNING));
    int vcpus = guest.domain().vcpus();
    List<String> name = List.of("--domain", guest.uuid());
    List<Command> commands = new ArrayList<>();
    commands.add(changing(List.of(List.of("schedinfo", "--live"), name, noQuotas())));
    new SettingWords(version)
        .of(name, vcpus, SchedulerParameters.byVcpu(List.of(wanted)), wanted)
        .forEach(words -> commands.add(changing(List.of(words))));
    List<Reading> readings = new ArrayList<>();
    readings.add(new Reading(reading(List.of("schedinfo", "--live"), name), values(wanted)));
    if (pinned) {
      readings.add(
          new Reading(reading(List.of("vcpupin", "--live"), name), pinning(wanted, vcpus)));
    }
    return new Undo(
        guest.name(),
        new Reading(
            reading(List.of("domid"), name), List.of("^%d$".formatted(guest.domain().id()))),
        commands,
        readings);
  }

  private static List<String> noQuotas() {
    return Cfs.LIMITS.stream().map(limit -> SchedInfo.TIMES.get(limit.quota()) + "=-1").toList();
  }

  private List<String> values(SchedulerParameters wanted) {
    List<String> lines = new ArrayList<>();
    lines.add("^cpu_shares *: *%d$".formatted(new SettingWords(version).shares(wanted)));
    SchedInfo.TIMES.forEach(
        (parameter, word) -> {
          Duration time = wanted.get(parameter);
          lines.add(
              "^%s *: *%s$".formatted(word, time.isZero() ? UNLIMITED : time.toNanos() / 1_000));
        });
    return lines;
  }

  private static List<String> pinning(SchedulerParameters wanted, int vcpus) {
    List<String> each = Pinning.each(wanted.get(Cfs.PINNING), vcpus);
    List<String> lines = new ArrayList<>();
    for (int vcpu = 0; vcpu < each.size(); vcpu++) {
      lines.add("^ *%d:? +%s *$".formatted(vcpu, each.get(vcpu).replace("^", "\\^")));
    }
    return lines;
  }

  private Command reading(List<String> start, List<String> name) {
    return Command.reading(words(List.of(start, name)));
  }

  private Command changing(List<List<String>> words) {
    return Command.changing(words(words));
  }

  private String[] words(List<List<String>> words) {
    return Stream.concat(virsh.prefix().stream(), words.stream().flatMap(List::stream))
        .toArray(String[]::new);
  }
}
