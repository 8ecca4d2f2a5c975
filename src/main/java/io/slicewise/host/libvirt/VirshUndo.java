package io.slicewise.host.libvirt;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Change;
import io.slicewise.host.Undo.Part;
import io.slicewise.host.Undo.Reading;
import io.slicewise.host.Undo.Value;
import io.slicewise.host.libvirt.LibvirtInventory.RunningGuest;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.TimeLimit;
import io.slicewise.ssh.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The undo of a setting with {@code virsh}. Its current values are unknown when it runs, and cgroup
 * v1 takes quotas in one order only, so those that the run changed are first removed together.
 */
record VirshUndo(Virsh virsh, CgroupVersion version) {
  private static final String UNLIMITED = "(-1|" + Cfs.UNLIMITED_MICROS + ")";
  private static final String END = " *$";

  Undo of(RunningGuest guest, Change change) {
    List<String> name = List.of("--domain", guest.uuid());
    List<Part> parts = new ArrayList<>();
    if (change.parameters().contains(Cfs.SHARES.key())) {
      parts.add(shares(name, change));
    }
    List<TimeLimit> limits =
        SettingWords.OUTER_FIRST.stream()
            .filter(limit -> changes(change, limit.quota()) || changes(change, limit.period()))
            .toList();
    if (!limits.isEmpty()) {
      parts.add(quotas(name, change, limits));
    }
    if (change.parameters().contains(Cfs.PINNING.key())) {
      parts.add(pinning(name, change, guest.domain().vcpus()));
    }
    for (VirshKnob threads : VirshKnob.ALL) {
      threads.undo(name, change, virsh::changing, virsh::reading).ifPresent(parts::add);
    }
    return new Undo(
        guest.name(),
        new Reading(
            virsh.reading(words(List.of("domid"), name)),
            List.of("^%d$".formatted(guest.domain().id()))),
        parts);
  }

  private static boolean changes(Change change, Parameter<?> parameter) {
    return change.parameters().contains(parameter.key());
  }

  private Part shares(List<String> name, Change change) {
    int found = shares(change.found());
    return new Part(
        Cfs.SHARES.key(),
        List.of(setting(name, List.of(SchedInfo.shares(found)))),
        schedinfo(name),
        List.of(
            new Value(
                "^cpu_shares *: *",
                Integer.toString(found),
                change.texts(one -> Integer.toString(shares(one))),
                END)));
  }

  private int shares(SchedulerParameters parameters) {
    return new SettingWords(version).shares(parameters);
  }

  private Part quotas(List<String> name, Change change, List<TimeLimit> limits) {
    List<String> none = new ArrayList<>();
    List<String> found = new ArrayList<>();
    List<Value> values = new ArrayList<>();
    for (TimeLimit limit : limits) {
      none.add(SchedInfo.TIMES.get(limit.quota()) + "=-1");
      for (Parameter<Duration> time : List.of(limit.period(), limit.quota())) {
        found.add(SchedInfo.assignment(time, change.found()));
        values.add(
            new Value(
                "^%s *: *".formatted(SchedInfo.TIMES.get(time)),
                text(change.found().get(time)),
                change.texts(one -> text(one.get(time))),
                END));
      }
    }
    return new Part(
        "quotas", List.of(setting(name, none), setting(name, found)), schedinfo(name), values);
  }

  private static String text(Duration time) {
    return time.isZero() ? UNLIMITED : Long.toString(time.toNanos() / 1_000);
  }

  private Part pinning(List<String> name, Change change, int vcpus) {
    List<Command> commands = new ArrayList<>();
    List<Value> values = new ArrayList<>();
    List<String> each = Pinning.each(change.found().get(Cfs.PINNING), vcpus);
    for (int vcpu = 0; vcpu < each.size(); vcpu++) {
      String number = Integer.toString(vcpu);
      commands.add(
          virsh.changing(
              words(
                  words(List.of("vcpupin", "--live"), name),
                  List.of("--vcpu", number, "--cpulist", each.get(vcpu)))));
      values.add(
          new Value(
              "^ *%s:? +".formatted(number), each.get(vcpu), known(change, vcpu, vcpus), END));
    }
    return new Part(
        Cfs.PINNING.key(),
        commands,
        virsh.reading(words(List.of("vcpupin", "--live"), name)),
        values);
  }

  private static Set<String> known(Change change, int vcpu, int vcpus) {
    Set<String> known = new TreeSet<>();
    Stream.concat(Stream.of(change.found()), change.possible().stream())
        .flatMap(settings -> settings.each().stream())
        .filter(settings -> !Cfs.leavesPinning(settings))
        .forEach(settings -> known.add(Pinning.each(settings.get(Cfs.PINNING), vcpus).get(vcpu)));
    return known;
  }

  private Command setting(List<String> name, List<String> values) {
    return virsh.changing(words(words(List.of("schedinfo", "--live"), name), values));
  }

  private Command schedinfo(List<String> name) {
    return virsh.reading(words(List.of("schedinfo", "--live"), name));
  }

  private static List<String> words(List<String> start, List<String> end) {
    return Stream.concat(start.stream(), end.stream()).toList();
  }
}
