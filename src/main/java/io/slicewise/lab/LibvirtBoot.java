package io.slicewise.lab;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.guest.GuestCpu;
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
import io.slicewise.lab.sim.MachineSpec;
import io.slicewise.lab.sim.SchedulerOptions;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;

/** One boot of a Linux host with libvirt: its daemon and the guests that were started. */
record LibvirtBoot(Driver driver, SharedDisk disk, Libvirtd daemon, MachineIdentity identity)
    implements Boot {
  private static final double MEGAHERTZ = 2400.0;
  private static final long MEMORY_MIB = 16384;
  private static final long KIB = 1024;

  static LibvirtBoot of(LabOptions options, HostFiles files, int number) {
    Machine machine =
        new Machine(
            new MachineSpec(options.pcpus(), SchedulerOptions.Fair.LINUX, options.seed() + number));
    machine.addDomain("host", 0, options.pcpus(), Machine.POOL_0);
    Driver driver = new Driver(machine);
    HostMachine host = new HostMachine(driver, options.pcpus(), options.cgroup());
    LibvirtBoot boot =
        new LibvirtBoot(
            driver,
            options.sharedDisk(number, FairScheduler::emulator),
            new Libvirtd(host, new GuestFiles(files)),
            identity(options.cgroup()));
    options.guests().forEach(boot::begin);
    return boot;
  }

  private void begin(LabGuest guest) {
    LibvirtGuest defined =
        daemon.define(
            guest.name(),
            UUID.nameUUIDFromBytes(guest.name().getBytes(StandardCharsets.UTF_8)).toString(),
            Libvirtd.definition(guest.vcpus(), guest.memoryMib() * KIB));
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

  private static MachineIdentity identity(GroupVersion version) {
    return new MachineIdentity(
        HypervisorVersion.of(9, 0),
        "kvmhost",
        version == GroupVersion.V1 ? "6.18.0" : "6.1.0-28-cloud-amd64",
        "#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)",
        MEGAHERTZ,
        MEMORY_MIB,
        "");
  }

  @Override
  public Map<String, Integer> domids() {
    return daemon.ids();
  }

  @Override
  public GuestCpu cpu() {
    return new GuestCpu(driver, disk, id -> false);
  }

  /** Charges each guest's own emulator for its packets. */
  @Override
  public IntUnaryOperator carriers() {
    return FairScheduler::emulator;
  }

  @Override
  public String bootScheduler() {
    return "";
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

  @Override
  public void restart(LabGuest guest) {
    createAnew(guest);
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
  public void killMonitor() {
    // Nothing to kill: on this host the kernel's own counters do the monitoring.
  }

  @Override
  public Shell shell(
      LabOptions options, HostFiles files, AtomicBoolean truncates, Reboots reboots) {
    return Toolbox.shell(options, this, files, reboots);
  }

  @Override
  public void close() {
    driver.close();
  }
}
