package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Change;
import io.slicewise.host.Undo.Part;
import io.slicewise.host.Undo.Reading;
import io.slicewise.host.Undo.Value;
import io.slicewise.host.groups.Inventory.Guest;
import io.slicewise.host.groups.Writes.Write;
import io.slicewise.profile.Fair;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The undo of a group's settings by its files. Their current values are unknown when it runs, so
 * every file that could prevent the writing of another is written, in an order that always works.
 */
record GroupUndo(Changing changing, CgroupVersion version) {
  private static final String START = "^";
  private static final String END = "$";

  /** Prints the pCPUs of the group in the current directory, which may have none of its own. */
  private static final String SHOWN_CPUS =
      "{ grep -sH '' %1$s || echo %1$s:; }".formatted(Writes.CPUS);

  Undo of(Guest guest, Change change) {
    if (changing.snapshot().managed(guest.path())) {
      return ofUnit(guest, change);
    }
    List<Part> parts = new ArrayList<>();
    if (changes(change, Fair.SHARES.key()) || changes(change, Fair.IDLE.key())) {
      parts.add(weight(guest, change));
    }
    if (List.of(Fair.QUOTA.key(), Fair.PERIOD.key(), Fair.BURST.key()).stream()
        .anyMatch(key -> changes(change, key))) {
      parts.add(limit(guest, change));
    }
    if (changes(change, Fair.CPUS.key()) && !Fair.leavesCpus(change.found())) {
      parts.add(cpus(guest, change));
    }
    return new Undo(
        guest.name(),
        new Reading(
            reading("stat -c %i " + Changing.quoted(directory(guest))),
            List.of(START + guest.inode() + END)),
        parts);
  }

  /**
   * What systemd sets at run time outlives a restart of the unit, so the unit is restored also in a
   * later life.
   */
  private Undo ofUnit(Guest guest, Change change) {
    String unit = Platform.lastOf(guest.path());
    SchedulerParameters found = change.found();
    String directory = Changing.quoted(directory(guest));
    Map<String, String> all = Units.properties(guest.name(), found);
    if (!changes(change, Fair.CPUS.key()) || Fair.leavesCpus(found)) {
      all.remove(Units.CPUS);
    }
    String burst = GroupFiles.micros(found.get(Fair.BURST));
    String written = "[ ! -e %1$s/cpu.max.burst ] || echo %2$s >%1$s/cpu.max.burst";
    String script =
        "%s; ( %s ) && { %s; }"
            .formatted(
                written.formatted(directory, "0"),
                Units.untilReboot("/run").script(unit, all, all),
                written.formatted(directory, burst));
    List<Value> values =
        new ArrayList<>(
            List.of(
                value(Writes.IDLE, change, one -> one.get(Fair.IDLE) ? "1" : "0"),
                value(version.weightFile(), change, this::weight),
                value("cpu.max", change, GroupUndo::limit),
                value(version.burstFile(), change, one -> GroupFiles.micros(one.get(Fair.BURST)))));
    if (all.containsKey(Units.CPUS)) {
      values.add(cpus(change));
    }
    String listing =
        ("cd %s && { grep -sH '' cpu.[a-z]*; [ -e cpu.weight ] ||"
                + " printf '%%s\\n' cpu.idle:0 cpu.weight:100 'cpu.max:max 100000'"
                + " cpu.max.burst:0; %s; }")
            .formatted(directory, SHOWN_CPUS);
    return new Undo(
        guest.name(),
        new Reading(Command.reading("systemctl", "is-active", unit), List.of("^active$")),
        List.of(
            new Part(
                "unit",
                List.of(changing.shell(Command.Effect.CHANGES, script)),
                reading(listing),
                values)));
  }

  private static String limit(SchedulerParameters parameters) {
    return GroupFiles.quota(CgroupVersion.V2, parameters)
        + " "
        + GroupFiles.micros(parameters.get(Fair.PERIOD));
  }

  private static boolean changes(Change change, String parameter) {
    return change.parameters().contains(parameter);
  }

  private String directory(Guest guest) {
    return changing.snapshot().trees().cpu() + guest.path();
  }

  /** The weight and the idle class are restored together, since each changes the other. */
  private Part weight(Guest guest, Change change) {
    SchedulerParameters found = change.found();
    List<Write> writes = new ArrayList<>();
    boolean known = changing.snapshot().groups().get(guest.path()).file(Writes.IDLE).isPresent();
    if (known) {
      writes.add(new Write(Writes.IDLE, "0"));
    }
    writes.add(new Writes(version).weight(found));
    if (found.get(Fair.IDLE)) {
      writes.add(new Write(Writes.IDLE, "1"));
    }
    List<Value> values = new ArrayList<>();
    if (known) {
      values.add(value(Writes.IDLE, change, one -> one.get(Fair.IDLE) ? "1" : "0"));
    }
    values.add(value(version.weightFile(), change, this::weight));
    return part("weight", guest, writes, values);
  }

  /** What the kernel shows: the idle class has a weight of its own. */
  private String weight(SchedulerParameters parameters) {
    String idle = version == CgroupVersion.V1 ? "3" : "0";
    return parameters.get(Fair.IDLE) ? idle : Integer.toString(version.shares(parameters));
  }

  private Part limit(Guest guest, Change change) {
    boolean burst =
        changing.snapshot().groups().get(guest.path()).file(version.burstFile()).isPresent();
    List<Value> values = new ArrayList<>();
    if (version == CgroupVersion.V1) {
      values.add(value("cpu.cfs_quota_us", change, one -> GroupFiles.quota(version, one)));
      values.add(
          value("cpu.cfs_period_us", change, one -> GroupFiles.micros(one.get(Fair.PERIOD))));
    } else {
      values.add(
          value(
              "cpu.max",
              change,
              one ->
                  GroupFiles.quota(version, one) + " " + GroupFiles.micros(one.get(Fair.PERIOD))));
    }
    if (burst) {
      values.add(value(version.burstFile(), change, one -> GroupFiles.micros(one.get(Fair.BURST))));
    }
    return part("quota", guest, new Writes(version).limit(change.found(), burst), values);
  }

  private Part cpus(Guest guest, Change change) {
    String directory = changing.snapshot().trees().cpuset().orElseThrow() + guest.path();
    return new Part(
        "cpus",
        List.of(
            changing.shell(
                Command.Effect.CHANGES, changing.cpus(guest, change.found()).orElseThrow())),
        reading(Changing.inside(directory, guest.cpuset()) + " && " + SHOWN_CPUS),
        List.of(cpus(change)));
  }

  /** The pCPUs as the kernel shows them; a group that inherits them has an empty line. */
  private static Value cpus(Change change) {
    return value(
        Writes.CPUS, change, one -> Fair.leavesCpus(one) ? cpus(change.found()) : cpus(one));
  }

  private static String cpus(SchedulerParameters parameters) {
    String cpus = parameters.get(Fair.CPUS);
    return cpus.equals(Fair.Cpus.INHERITED) ? " *" : cpus;
  }

  private Part part(String name, Guest guest, List<Write> writes, List<Value> values) {
    return new Part(
        name,
        List.of(
            changing.shell(Command.Effect.CHANGES, changing.script(guest, writes).orElseThrow())),
        reading(Changing.inside(directory(guest), guest.inode()) + " && grep -sH '' cpu.[a-z]*"),
        values);
  }

  private static Value value(
      String file, Change change, Function<SchedulerParameters, String> text) {
    return new Value(
        START + file.replace(".", "\\.") + ":",
        text.apply(change.found()),
        change.texts(text),
        END);
  }

  private static Command reading(String script) {
    return Changing.command(false, Command.Effect.READS, script);
  }
}
