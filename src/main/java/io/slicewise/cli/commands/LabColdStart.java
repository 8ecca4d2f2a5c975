package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.lab.Lab;
import io.slicewise.profile.Role;
import java.util.List;
import java.util.Map;

/**
 * How the database of an experiment on the lab is brought into the state of a machine that was just
 * switched on: the lab's own steps in the place of those in {@code cold}, whose addresses change
 * from one lab to the next.
 */
record LabColdStart(Lab lab) {
  /**
   * Returns the steps.
   *
   * @throws SlicewiseException if nobody can sign in to the guest
   */
  List<Map<String, Object>> steps(Map<Role, List<String>> domains) {
    int machine = port(domains.get(Role.MAIN).get(0));
    return List.of(
        step(machine, "systemctl", "stop", "postgresql"),
        step(machine, "sysctl", "vm.drop_caches=3"),
        step(lab.sshPort(), "sysctl", "vm.drop_caches=3"),
        step(machine, "systemctl", "start", "postgresql"));
  }

  private int port(String machine) {
    if (machine.equals(HypervisorKind.BASE)) {
      return lab.sshPort();
    }
    if (!lab.logins().contains(machine)) {
      throw SlicewiseException.input(
          "lab: nobody can sign in to %s to restart its database".formatted(machine),
          "leave 'cold' out, or use Xen or no hypervisor");
    }
    return lab.loginPort(machine);
  }

  private Map<String, Object> step(int port, String... command) {
    return Map.of(
        "on",
        "127.0.0.1",
        "port",
        port,
        "user",
        "root",
        "identity",
        lab.privateKey().toString(),
        "known-hosts",
        lab.knownHosts().toString(),
        "command",
        List.of(command));
  }
}
