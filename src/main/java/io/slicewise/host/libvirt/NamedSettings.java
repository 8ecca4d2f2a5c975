package io.slicewise.host.libvirt;

import io.slicewise.host.HypervisorException;
import io.slicewise.host.SettingCommands;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands that set a guest by name, for people to read. Commands that are run use the guest's
 * UUID.
 */
record NamedSettings(List<String> prefix, ControllerVersion version) implements SettingCommands {
  private static final int ANY_VCPUS = 4096;

  @Override
  public List<Command> set(String domain, SchedulerParameters wanted) {
    if (domain.matches("[0-9]+")) {
      throw new HypervisorException(
          "The guest called %s cannot be named to virsh.".formatted(domain),
          "A name made of digits is taken for an id; 'slicewise apply' finds the right one.");
    }
    if (wanted.scheduler() != Scheduler.CFS) {
      throw new HypervisorException(
          "virsh has no settings for the %s scheduler.".formatted(wanted.scheduler().xenName()),
          "Use a profile for the cfs scheduler.");
    }
    int vcpus = Cfs.leavesPinning(wanted) ? ANY_VCPUS : wanted.leastVcpus();
    new SettingLimits(version).check(domain, vcpus, wanted);
    List<Command> commands = new ArrayList<>();
    SchedulerParameters unknown = SchedulerParameters.byVcpu(List.of(wanted));
    for (List<String> arguments :
        new SettingWords(version).of(List.of("--domain", domain), vcpus, unknown, wanted)) {
      List<String> words = new ArrayList<>(prefix);
      words.addAll(arguments);
      commands.add(Command.changing(words.toArray(String[]::new)));
    }
    return List.copyOf(commands);
  }
}
