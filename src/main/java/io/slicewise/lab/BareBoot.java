package io.slicewise.lab;

import io.slicewise.host.HypervisorKind;
import io.slicewise.lab.Boot.Reboots;
import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.guest.GuestHost.GuestCosts;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Shell;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.SchedulerOptions;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * One boot of the machine without a hypervisor, with as many CPUs and as much memory as its guests
 * have under one. It does the work of all of them itself, and carries nothing.
 *
 * @param domids of the scene's guests: all are the machine itself
 */
record BareBoot(
    Driver driver, SharedDisk disk, MachineIdentity identity, int cpus, Map<String, Integer> domids)
    implements Boot {
  private static final int ITSELF = 0;

  static BareBoot of(LabOptions options, int number) {
    int cpus = options.guests().stream().mapToInt(LabGuest::vcpus).sum();
    long memoryMib = options.guests().stream().mapToLong(LabGuest::memoryMib).sum();
    Machine machine =
        new Machine(new MachineSpec(cpus, SchedulerOptions.Fair.LINUX, options.seed() + number));
    machine.addDomain(HypervisorKind.BASE, ITSELF, cpus, Machine.POOL_0);
    return new BareBoot(
        new Driver(machine),
        options.sharedDisk(number, itself -> ITSELF),
        MachineIdentity.linux(options.version(), "barehost", "6.1.0-28-amd64", memoryMib),
        cpus,
        options.guests().stream()
            .collect(Collectors.toUnmodifiableMap(LabGuest::name, guest -> ITSELF)));
  }

  @Override
  public GuestCosts costs() {
    return GuestCosts.BARE;
  }

  @Override
  public OptionalInt carrier(int guest) {
    return OptionalInt.empty();
  }

  @Override
  public LabSettings settings() {
    return LabSettings.of(Map.of());
  }

  @Override
  public Shell shell(
      LabOptions options, HostFiles files, AtomicBoolean truncates, Reboots reboots) {
    return Toolbox.shell(options, this, files, reboots);
  }
}
