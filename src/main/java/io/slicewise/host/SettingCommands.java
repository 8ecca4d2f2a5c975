package io.slicewise.host;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.List;

/** The commands that set a target, without access to a host. */
@FunctionalInterface
public interface SettingCommands {
  /**
   * The commands that set a domain or pool completely, in order. They use its name, because its id
   * changes when a guest restarts. Properties that only a host knows, such as the number of vCPUs,
   * are not checked.
   *
   * @throws HypervisorException if the tool cannot express it, or would misread the domain's name
   */
  List<Command> set(String target, SchedulerParameters wanted);
}
