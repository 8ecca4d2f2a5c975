package io.slicewise.lab;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.yaml.Option;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.xen.XenSchedulers;
import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.disk.SharedDisk.DiskSpec;
import io.slicewise.lab.fault.CounterFaults;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.guest.GuestHost.GuestCosts;
import io.slicewise.lab.guest.Scene;
import io.slicewise.lab.guest.Scene.Visits;
import io.slicewise.lab.guest.Scenes;
import io.slicewise.lab.host.BuiltIn;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.lab.sim.Demands;
import io.slicewise.profile.Scheduler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * The options of a lab. The defaults are the host of the 2010 study under today's Xen: four pCPUs,
 * Domain-0 with four vCPUs, the web server with one, file server and database with two each.
 *
 * @param guests at least one guest
 * @param seed seed of every random draw of the lab: service times, temporary names, tick phases
 * @param directory where keys and the control domain's files are kept; empty = a temporary one
 */
public record LabOptions(
    Software software,
    Hardware hardware,
    List<LabGuest> guests,
    Site site,
    Ports ports,
    long seed,
    List<LabFault> faults,
    Optional<Path> directory) {

  private static final LabOptions DEFAULTS =
      new LabOptions(
          new Software(
              LabToolstack.parse("xl-4.17"), GroupVersion.V1, Optional.empty(), false, true),
          new Hardware(4, 4, Optional.empty(), GuestCosts.BARE),
          guestsOf(Scenes.WEB_APP),
          new Site(Scenes.WEB_APP, true, Demands.LAB, 0, List.of()),
          Ports.ANY,
          1,
          List.of(),
          Optional.empty());

  /**
   * The hypervisor and its tools.
   *
   * @param cgroup the version of control groups on a host with libvirt
   * @param scheduler the scheduler of Pool-0; empty = the version's default
   * @param everyScheduler whether Xen was built with every scheduler that its version has
   * @param xenmon whether the host has xenmon; most distributions do not ship it
   */
  public record Software(
      LabToolstack toolstack,
      GroupVersion cgroup,
      Optional<Scheduler> scheduler,
      boolean everyScheduler,
      boolean xenmon) {
    private Software on(LabToolstack other, GroupVersion groups) {
      return new Software(other, groups, scheduler, everyScheduler, xenmon);
    }
  }

  /**
   * The machine.
   *
   * @param pcpus number of pCPUs, 1..64
   * @param dom0Vcpus number of Domain-0's vCPUs, 1..64
   * @param disk that the guests share; empty if their databases are all in memory
   * @param costs what computing costs in a guest
   */
  public record Hardware(int pcpus, int dom0Vcpus, Optional<DiskSpec> disk, GuestCosts costs) {
    public Hardware {
      if (pcpus < 1 || pcpus > 64 || dom0Vcpus < 1 || dom0Vcpus > 64) {
        throw new IllegalArgumentException("pCPUs and Domain-0's vCPUs must be in 1..64");
      }
    }
  }

  /**
   * What is served.
   *
   * @param scene the workload whose servers run in the guests
   * @param servers whether the scene's servers are started; SSH alone starts in a fraction of a
   *     second
   * @param startScatter coefficient of variation of what a start of the load changes in all service
   *     times, 0..0.5
   * @param visits the arrivals at a site with visitors of its own, again and again; empty for those
   *     of the scene
   */
  public record Site(
      Scene scene, boolean servers, Demands demands, double startScatter, List<Visits> visits) {
    public Site {
      visits = List.copyOf(visits);
    }
  }

  /** The ports; 0 = any free port. */
  public record Ports(int ssh, int http) {
    static final Ports ANY = new Ports(0, 0);
  }

  public LabOptions {
    guests = List.copyOf(guests);
    faults = List.copyOf(faults);
    if (guests.isEmpty()
        || Set.copyOf(guests.stream().map(LabGuest::name).toList()).size() < guests.size()) {
      throw new IllegalArgumentException(
          "a lab needs at least one guest, and guests need different names");
    }
    LabToolstack toolstack = software.toolstack;
    Optional<Scheduler> scheduler = software.scheduler;
    if (!toolstack.isVirsh() && guests.stream().anyMatch(LabGuest::off)) {
      throw new IllegalArgumentException("only libvirt knows a guest that is off");
    }
    if (toolstack.isBare() && faults.stream().anyMatch(fault -> fault.kind().strikesGuest())) {
      throw new IllegalArgumentException(
          "a machine without a hypervisor has no guest that could crash or reboot");
    }
    Set<Scheduler> there =
        toolstack.isXen()
            ? new BuiltIn(toolstack.version(), Set.of(Scheduler.RTDS)).schedulers()
            : Set.of(Scheduler.CFS);
    if (scheduler.isPresent() && !there.contains(scheduler.get())) {
      throw new IllegalArgumentException(
          "scheduler "
              + scheduler.get().xenName()
              + " is not in the lab's "
              + (toolstack.isXen()
                  ? "Xen " + toolstack.version().major() + "." + toolstack.version().minor()
                  : "Linux")
              + ", which has "
              + there.stream().map(Scheduler::xenName).sorted().toList());
    }
  }

  /** Returns the default options, servers included. */
  public static LabOptions defaults() {
    return DEFAULTS;
  }

  /** Returns the default host without servers, reachable by SSH alone. */
  public static LabOptions sshOnly() {
    return DEFAULTS.withServers(false);
  }

  /**
   * Reads the {@code lab:} section of an experiment file.
   *
   * @throws io.slicewise.base.units.SlicewiseException with all errors in the map
   */
  public static LabOptions from(Map<String, Object> map) {
    return from(map, Scenes.WEB_APP);
  }

  /** Reads the {@code lab:} section for another scene, whose guests are the default guests. */
  public static LabOptions from(Map<String, Object> map, Scene scene) {
    return LabOptionsReader.read(map, defaults().withScene(scene));
  }

  /** Returns the keys of {@code lab:} in an experiment file. */
  public static List<Option> keys() {
    return LabOptionsReader.OPTIONS;
  }

  /** Returns the toolstack with its version. */
  public LabToolstack toolstack() {
    return software.toolstack;
  }

  /** Returns the version of Xen, or of libvirt with that of control groups. */
  public HypervisorVersion version() {
    HypervisorVersion version = toolstack().version();
    return toolstack().isVirsh()
        ? new HypervisorVersion(
            version.major(),
            version.minor(),
            " (cgroup %s)".formatted(EnumName.of(software.cgroup)))
        : version;
  }

  /** Returns the scheduler that Pool-0 starts with. */
  public Scheduler bootScheduler() {
    return toolstack().isXen()
        ? software.scheduler.orElseGet(() -> builtIn().bootDefault())
        : Scheduler.CFS;
  }

  /** Returns the built-in schedulers: the version's own, the one at boot, and all on request. */
  BuiltIn builtIn() {
    return new BuiltIn(
        toolstack().version(),
        software.everyScheduler
            ? XenSchedulers.possible(toolstack().version())
            : software.scheduler.map(Set::of).orElse(Set.of()));
  }

  /**
   * Returns these options with the toolstack {@code text}, for example {@code xm-3.3} or {@code
   * xl-4.17}.
   */
  public LabOptions withToolstack(String text) {
    return with(software.on(LabToolstack.parse(text), software.cgroup));
  }

  /**
   * Returns these options with a hypervisor, a toolstack, both or neither from a command line.
   *
   * @throws IllegalArgumentException if they do not match, or one is unknown
   */
  public LabOptions withHypervisor(
      Optional<String> hypervisor, Optional<String> text, String version) {
    return with(software.on(LabToolstack.of(hypervisor, text), GroupVersion.of(version)));
  }

  /** Returns these options for a host with libvirt and that version of control groups. */
  public LabOptions withLibvirt(GroupVersion version) {
    return with(software.on(LabToolstack.VIRSH, version));
  }

  public LabOptions withScheduler(Scheduler other) {
    return with(
        new Software(
            toolstack(),
            software.cgroup,
            Optional.of(other),
            software.everyScheduler,
            software.xenmon));
  }

  public LabOptions withEveryScheduler() {
    return with(
        new Software(toolstack(), software.cgroup, software.scheduler, true, software.xenmon));
  }

  public LabOptions withCpus(int machine, int dom0) {
    Hardware other = new Hardware(machine, dom0, hardware.disk, hardware.costs);
    return new LabOptions(software, other, guests, site, ports, seed, faults, directory);
  }

  public LabOptions withGuests(LabGuest... others) {
    return new LabOptions(
        software, hardware, List.of(others), site, ports, seed, faults, directory);
  }

  public LabOptions withSeed(long other) {
    return new LabOptions(software, hardware, guests, site, ports, other, faults, directory);
  }

  public LabOptions withFaults(LabFault... others) {
    return new LabOptions(
        software, hardware, guests, site, ports, seed, List.of(others), directory);
  }

  public LabOptions withDirectory(Path path) {
    return new LabOptions(software, hardware, guests, site, ports, seed, faults, Optional.of(path));
  }

  /** Returns these options with all costs multiplied by {@code factor}. */
  public LabOptions withDemandFactor(double factor) {
    Demands scaled = site.demands.scaled(factor);
    return with(new Site(site.scene, site.servers, scaled, site.startScatter, site.visits));
  }

  public LabOptions withServers(boolean started) {
    return with(new Site(site.scene, started, site.demands, site.startScatter, site.visits));
  }

  /** Returns these options with another workload's servers and guests. */
  public LabOptions withScene(Scene other) {
    Site its = new Site(other, site.servers, site.demands, site.startScatter, site.visits);
    return new LabOptions(software, hardware, guestsOf(other), its, ports, seed, faults, directory);
  }

  private static List<LabGuest> guestsOf(Scene scene) {
    return scene.guests().entrySet().stream()
        .map(guest -> LabGuest.of(guest.getKey(), guest.getValue()))
        .toList();
  }

  SharedDisk sharedDisk(int boot, IntUnaryOperator carriers) {
    DiskSpec spec = hardware.disk.orElse(DiskSpec.INSTANT);
    return new SharedDisk(
        toolstack().isBare() ? spec.direct() : spec, new SplittableRandom(seed + boot), carriers);
  }

  /** Returns the injected faults of a machine's counters. */
  CounterFaults counterFaults(String machine) {
    return CounterFaults.of(faults, machine);
  }

  public LabOptions withXenmon(boolean there) {
    return with(
        new Software(
            toolstack(), software.cgroup, software.scheduler, software.everyScheduler, there));
  }

  public LabOptions withPorts(int ssh, int http) {
    return new LabOptions(
        software, hardware, guests, site, new Ports(ssh, http), seed, faults, directory);
  }

  private LabOptions with(Software software) {
    return new LabOptions(software, hardware, guests, site, ports, seed, faults, directory);
  }

  private LabOptions with(Site site) {
    return new LabOptions(software, hardware, guests, site, ports, seed, faults, directory);
  }
}
