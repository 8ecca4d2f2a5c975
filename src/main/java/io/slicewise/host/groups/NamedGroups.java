package io.slicewise.host.groups;

import io.slicewise.host.HypervisorException;
import io.slicewise.host.SettingCommands;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands that set a group by its name, for people to read: where the group is and which life
 * it has, only its host knows. Commands that are run name the directory and its inode.
 */
record NamedGroups(CgroupVersion version, boolean sudo) implements SettingCommands {
  @Override
  public List<Command> set(String domain, SchedulerParameters wanted) {
    if (wanted.scheduler() != Scheduler.FAIR) {
      throw new HypervisorException(
          "Control groups have no settings for the %s scheduler."
              .formatted(wanted.scheduler().xenName()),
          "Use a profile for the fair scheduler.");
    }
    Limits.check(version, domain, wanted);
    Writes writes = new Writes(version);
    List<Writes.Write> all = new ArrayList<>();
    if (wanted.get(Fair.IDLE)) {
      all.add(new Writes.Write(Writes.IDLE, "1"));
    } else {
      all.add(writes.weight(wanted));
    }
    all.addAll(writes.limit(wanted, false));
    List<Command> commands = new ArrayList<>();
    commands.add(in(version == CgroupVersion.V1 ? "/cpu" : "", domain, all));
    if (!Fair.leavesCpus(wanted)) {
      commands.add(
          in(version == CgroupVersion.V1 ? "/cpuset" : "", domain, List.of(Writes.cpus(wanted))));
    }
    return List.copyOf(commands);
  }

  private Command in(String tree, String domain, List<Writes.Write> writes) {
    String where = Changing.quoted("*/" + domain);
    String script =
        "cd \"$(find /sys/fs/cgroup%s/ -type d -path %s)\" && %s"
            .formatted(tree, where, Changing.text(writes));
    return Changing.command(sudo, Command.Effect.CHANGES, script);
  }
}
