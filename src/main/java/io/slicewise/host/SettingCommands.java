package io.slicewise.host;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.List;

/** The commands that set a domain on a host that is not looked at. */
@FunctionalInterface
public interface SettingCommands {
  /**
   * The commands that set a domain completely, in order. They name it, since its id changes when a
   * guest restarts. What only a host knows, such as the number of its vCPUs, is not checked.
   *
   * @throws HypervisorException if the tool cannot express it, or would misread the domain's name
   */
  List<Command> set(String domain, SchedulerParameters wanted);
}
