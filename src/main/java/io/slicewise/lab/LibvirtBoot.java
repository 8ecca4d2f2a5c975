package io.slicewise.lab;

import io.slicewise.lab.Boot.Reboots;
import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.guest.GuestHost.GuestCosts;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.lab.libvirt.GuestFiles;
import io.slicewise.lab.libvirt.HostMachine;
import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Shell;
import io.slicewise.lab.sim.FairScheduler;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.SchedulerOptions;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/** One boot of a Linux host with libvirt: its daemon and the guests that were started. */
record LibvirtBoot(
    Driver driver, SharedDisk disk, Libvirtd daemon, MachineIdentity identity, GuestCosts costs)
    implements Boot {
  private static final long MEMORY_MIB = 16384;

  static LibvirtBoot of(LabOptions options, HostFiles files, int number) {
    Machine machine =
        new Machine(
            new MachineSpec(
                options.hardware().pcpus(), SchedulerOptions.Fair.LINUX, options.seed() + number));
    machine.addDomain("host", 0, options.hardware().pcpus(), Machine.POOL_0);
    Driver driver = new Driver(machine);
    HostMachine host =
        new HostMachine(driver, options.hardware().pcpus(), options.software().cgroup());
    LibvirtBoot boot =
        new LibvirtBoot(
            driver,
            options.sharedDisk(number, FairScheduler::emulator),
            new Libvirtd(host, new GuestFiles(files)),
            MachineIdentity.linux(
                options.version(), "kvmhost", release(options.software().cgroup()), MEMORY_MIB),
            options.hardware().costs());
    options.guests().forEach(boot::begin);
    return boot;
  }

  private void begin(LabGuest guest) {
    LibvirtGuest defined =
        daemon.define(guest.name(), guest.vcpus(), guest.most(), guest.iothreads());
    if (!guest.off()) {
      start(defined, guest);
    }
  }

  private void start(LibvirtGuest defined, LabGuest guest) {
    daemon.start(defined, false);
    int id = defined.running().id();
    for (int vcpu = 0; guest.burns() && vcpu < guest.vcpus(); vcpu++) {
      int number = vcpu;
      driver.post(machine -> machine.burn(id, number), () -> {});
    }
  }

  private static String release(GroupVersion version) {
    return version == GroupVersion.V1 ? "6.18.0" : "6.1.0-28-cloud-amd64";
  }

  @Override
  public Map<String, Integer> domids() {
    return daemon.ids();
  }

  /** Charges each guest's own emulator for its packets, and the host for its own. */
  @Override
  public OptionalInt carrier(int guest) {
    return OptionalInt.of(guest == 0 ? 0 : FairScheduler.emulator(guest));
  }

  @Override
  public LabSettings settings() {
    return LabSettings.of(daemon.settings());
  }

  @Override
  public void destroy(LabGuest guest) {
    daemon.end(guest(guest.name()), "destroyed");
  }

  @Override
  public void createAnew(LabGuest guest) {
    start(guest(guest.name()), guest);
  }

  /** Ends the guest's process, as a kill does. */
  @Override
  public void crash(String guest) {
    if (domids().containsKey(guest)) {
      daemon.end(guest(guest), "crashed");
    }
  }

  private LibvirtGuest guest(String name) {
    return daemon
        .find(name)
        .orElseThrow(() -> new IllegalArgumentException("the lab has no guest " + name));
  }

  @Override
  public Shell shell(
      LabOptions options, HostFiles files, AtomicBoolean truncates, Reboots reboots) {
    return Toolbox.shell(options, this, files, reboots);
  }
}
