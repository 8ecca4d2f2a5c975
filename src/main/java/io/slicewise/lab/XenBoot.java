package io.slicewise.lab;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.lab.Boot.Reboots;
import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.guest.GuestCpu;
import io.slicewise.lab.guest.GuestHost.GuestCosts;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.monitor.Tracing;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Shell;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.profile.Scheduler;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One boot of a machine under Xen: hypervisor, Domain-0 and guests with their default settings.
 *
 * @param domids the guests' domain ids, by name
 * @param costs what computing costs in a guest
 */
record XenBoot(
    Driver driver,
    SharedDisk disk,
    Hypercalls hypercalls,
    Tracing tracing,
    MachineIdentity identity,
    Map<String, Integer> domids,
    GuestCosts costs)
    implements Boot {
  private static final long DOM0_KIB = 1024 * 1024;
  private static final long MEMORY_MIB = 16384;

  /**
   * Boots the machine.
   *
   * @param asked the scheduler named on the command line, or empty for none
   * @param number the number of the boot, from 0. Later boots give guests other ids, so that nobody
   *     relies on them, but start guests in the same order: sEDF places vCPUs permanently, in order
   *     of arrival
   */
  static XenBoot of(LabOptions options, String asked, int number) {
    Scheduler active =
        Scheduler.ofXenName(asked)
            .filter(options.builtIn().schedulers()::contains)
            .orElse(options.builtIn().bootDefault());
    Machine machine =
        new Machine(
            new MachineSpec(
                options.hardware().pcpus(),
                options.builtIn().options(active),
                options.seed() + number));
    Driver driver = new Driver(machine);
    Hypercalls hypercalls = new Hypercalls(driver, options.hardware().pcpus(), options.builtIn());
    hypercalls.createDomain(0, "Domain-0", options.hardware().dom0Vcpus(), DOM0_KIB);
    Map<String, Integer> domids = new ConcurrentHashMap<>();
    for (LabGuest guest : options.guests()) {
      int domid = 1 + number + domids.size();
      domids.put(guest.name(), domid);
    }
    XenBoot boot =
        new XenBoot(
            driver,
            options.sharedDisk(number, guest -> 0),
            hypercalls,
            new Tracing(driver),
            identity(options.toolstack().version(), asked),
            domids,
            options.hardware().costs());
    options.guests().forEach(guest -> boot.create(guest, guest.name()));
    return boot;
  }

  @Override
  public void destroy(LabGuest guest) {
    int domid = domids.remove(guest.name());
    driver.post(machine -> disk.unplug(domid), () -> {});
    hypercalls.destroyDomain(domid);
  }

  /** Creates the guest under the next domid. To Xen it is a different domain of the same name. */
  @Override
  public void createAnew(LabGuest guest) {
    int domid = hypercalls.nextDomid();
    domids.put(guest.name(), domid);
    create(guest, guest.name() + " " + domid);
  }

  @Override
  public void restart(LabGuest guest) {
    domids.put(guest.name(), hypercalls.nextDomid());
    create(guest, guest.name());
  }

  /**
   * Starts a guest under its domid.
   *
   * @param seed the seed of its UUID, which makes a guest keep its UUID through reboots
   */
  private void create(LabGuest guest, String seed) {
    int domid = domids.get(guest.name());
    String uuid = UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).toString();
    hypercalls.createDomain(domid, guest.name(), uuid, guest.vcpus(), guest.memoryMib() * 1024L);
    if (guest.burns()) {
      driver.ask(
          owned -> {
            for (int vcpu = 0; vcpu < guest.vcpus(); vcpu++) {
              owned.burn(domid, vcpu);
            }
            return true;
          });
    }
  }

  private static MachineIdentity identity(HypervisorVersion version, String asked) {
    boolean old = !version.atLeast(4, 2);
    return new MachineIdentity(
        version,
        "xenhost",
        old ? "2.6.18.8-xen" : "6.1.0-28-amd64",
        old ? "#1 SMP Mon Mar 1 12:00:00 UTC 2010" : MachineIdentity.DEBIAN_KERNEL,
        MachineIdentity.MEGAHERTZ,
        MEMORY_MIB,
        asked);
  }

  @Override
  public String bootScheduler() {
    return identity.bootScheduler();
  }

  @Override
  public GuestCpu cpu() {
    return new GuestCpu(driver, disk, hypercalls::crashed);
  }

  /** Charges Domain-0 for every guest's packets. */
  @Override
  public OptionalInt carrier(int guest) {
    return OptionalInt.of(0);
  }

  @Override
  public LabSettings settings() {
    return LabSettings.of(hypercalls);
  }

  @Override
  public void crash(String guest) {
    Optional.ofNullable(domids.get(guest)).ifPresent(hypercalls::crash);
  }

  @Override
  public void killMonitor() {
    tracing.kill();
  }

  @Override
  public Shell shell(
      LabOptions options, HostFiles files, AtomicBoolean truncates, Reboots reboots) {
    return Toolbox.shell(options, this, files, truncates, reboots);
  }
}
