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
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/**
 * The options of a lab. The defaults are the host of the 2010 study under today's Xen: four pCPUs,
 * Domain-0 with four vCPUs, the web server with one, file server and database with two each.
 *
 * @param scheduler the scheduler of Pool-0; empty = the version's default
 * @param everyScheduler whether Xen was built with every scheduler that its version has
 * @param pcpus number of pCPUs, 1..64
 * @param dom0Vcpus number of Domain-0's vCPUs, 1..64
 * @param guests at least one guest
 * @param seed seed of every random draw of the lab: service times, temporary names, tick phases
 * @param directory where keys and the control domain's files are kept; empty = a temporary one
 * @param servers whether the scene's servers are started; SSH alone starts in a fraction of a
 *     second
 * @param scene the workload whose servers run in the guests
 * @param xenmon whether the host has xenmon; most distributions do not ship it
 * @param sshPort 0 = any free port
 * @param httpPort 0 = any free port
 * @param cgroup the version of control groups on a host with libvirt
 * @param disk that the guests share; empty if their databases are all in memory
 * @param startScatter coefficient of variation of what a start of the load changes in all service
 *     times, 0..0.5
 * @param costs what computing costs in a guest
 * @param visits the arrivals at a site with visitors of its own, again and again; empty for those
 *     of the scene
 */
public record LabOptions(
    LabToolstack toolstack,
    Optional<Scheduler> scheduler,
    boolean everyScheduler,
    int pcpus,
    int dom0Vcpus,
    List<LabGuest> guests,
    long seed,
    List<LabFault> faults,
    Optional<Path> directory,
    boolean servers,
    Scene scene,
    boolean xenmon,
    Demands demands,
    int sshPort,
    int httpPort,
    GroupVersion cgroup,
    Optional<DiskSpec> disk,
    double startScatter,
    GuestCosts costs,
    List<Visits> visits) {

  private static final LabOptions DEFAULTS =
      new LabOptions(
          LabToolstack.parse("xl-4.17"),
          Optional.empty(),
          false,
          4,
          4,
          guestsOf(Scenes.WEB_APP),
          1,
          List.of(),
          Optional.empty(),
          true,
          Scenes.WEB_APP,
          true,
          Demands.LAB,
          0,
          0,
          GroupVersion.V1,
          Optional.empty(),
          0,
          GuestCosts.BARE,
          List.of());

  public LabOptions {
    guests = List.copyOf(guests);
    faults = List.copyOf(faults);
    visits = List.copyOf(visits);
    if (pcpus < 1 || pcpus > 64 || dom0Vcpus < 1 || dom0Vcpus > 64) {
      throw new IllegalArgumentException("pCPUs and Domain-0's vCPUs must be in 1..64");
    }
    if (guests.isEmpty()
        || Set.copyOf(guests.stream().map(LabGuest::name).toList()).size() < guests.size()) {
      throw new IllegalArgumentException(
          "a lab needs at least one guest, and guests need different names");
    }
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

  /** Returns the version of Xen, or of libvirt with that of control groups. */
  public HypervisorVersion version() {
    HypervisorVersion version = toolstack.version();
    return toolstack.isVirsh()
        ? new HypervisorVersion(
            version.major(), version.minor(), " (cgroup %s)".formatted(EnumName.of(cgroup)))
        : version;
  }

  /** Returns the scheduler that Pool-0 starts with. */
  public Scheduler bootScheduler() {
    return toolstack.isXen() ? scheduler.orElseGet(() -> builtIn().bootDefault()) : Scheduler.CFS;
  }

  /** Returns the built-in schedulers: the version's own, the one at boot, and all on request. */
  BuiltIn builtIn() {
    return new BuiltIn(
        toolstack.version(),
        everyScheduler
            ? XenSchedulers.possible(toolstack.version())
            : scheduler.map(Set::of).orElse(Set.of()));
  }

  /**
   * Returns these options with the toolstack {@code text}, for example {@code xm-3.3} or {@code
   * xl-4.17}.
   */
  public LabOptions withToolstack(String text) {
    return with(draft -> draft.toolstack = LabToolstack.parse(text));
  }

  /**
   * Returns these options with a hypervisor, a toolstack, both or neither from a command line.
   *
   * @throws IllegalArgumentException if they do not match, or one is unknown
   */
  public LabOptions withHypervisor(
      Optional<String> hypervisor, Optional<String> text, String version) {
    LabToolstack asked = LabToolstack.of(hypervisor, text);
    GroupVersion groups = GroupVersion.of(version);
    return with(
        draft -> {
          draft.toolstack = asked;
          draft.cgroup = groups;
        });
  }

  /** Returns these options for a host with libvirt and that version of control groups. */
  public LabOptions withLibvirt(GroupVersion version) {
    return with(
        draft -> {
          draft.toolstack = LabToolstack.VIRSH;
          draft.cgroup = version;
        });
  }

  public LabOptions withScheduler(Scheduler other) {
    return with(draft -> draft.scheduler = Optional.of(other));
  }

  public LabOptions withEveryScheduler() {
    return with(draft -> draft.everyScheduler = true);
  }

  public LabOptions withCpus(int machine, int dom0) {
    return with(
        draft -> {
          draft.pcpus = machine;
          draft.dom0Vcpus = dom0;
        });
  }

  public LabOptions withGuests(LabGuest... others) {
    return with(draft -> draft.guests = List.of(others));
  }

  public LabOptions withSeed(long other) {
    return with(draft -> draft.seed = other);
  }

  public LabOptions withFaults(LabFault... others) {
    return with(draft -> draft.faults = List.of(others));
  }

  public LabOptions withDirectory(Path path) {
    return with(draft -> draft.directory = Optional.of(path));
  }

  /** Returns these options with all costs multiplied by {@code factor}. */
  public LabOptions withDemandFactor(double factor) {
    return with(draft -> draft.demands = draft.demands.scaled(factor));
  }

  public LabOptions withServers(boolean started) {
    return with(draft -> draft.servers = started);
  }

  /** Returns these options with another workload's servers and guests. */
  public LabOptions withScene(Scene other) {
    return with(
        draft -> {
          draft.guests = guestsOf(other);
          draft.scene = other;
        });
  }

  private static List<LabGuest> guestsOf(Scene scene) {
    return scene.guests().entrySet().stream()
        .map(guest -> LabGuest.of(guest.getKey(), guest.getValue()))
        .toList();
  }

  SharedDisk sharedDisk(int boot, IntUnaryOperator carriers) {
    DiskSpec spec = disk.orElse(DiskSpec.INSTANT);
    return new SharedDisk(
        toolstack.isBare() ? spec.direct() : spec, new SplittableRandom(seed + boot), carriers);
  }

  /** Returns the injected faults of a machine's counters. */
  CounterFaults counterFaults(String machine) {
    return CounterFaults.of(faults, machine);
  }

  public LabOptions withXenmon(boolean there) {
    return with(draft -> draft.xenmon = there);
  }

  public LabOptions withPorts(int ssh, int http) {
    return with(
        draft -> {
          draft.sshPort = ssh;
          draft.httpPort = http;
        });
  }

  /** Returns a copy with one change. Every {@code with…} method uses it; all else is unchanged. */
  private LabOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** A mutable copy of the options. */
  private static final class Draft {
    private LabToolstack toolstack;
    private Optional<Scheduler> scheduler;
    private boolean everyScheduler;
    private int pcpus;
    private int dom0Vcpus;
    private List<LabGuest> guests;
    private long seed;
    private List<LabFault> faults;
    private Optional<Path> directory;
    private boolean servers;
    private Scene scene;
    private boolean xenmon;
    private Demands demands;
    private int sshPort;
    private int httpPort;
    private GroupVersion cgroup;
    private Optional<DiskSpec> disk;
    private double startScatter;
    private GuestCosts costs;
    private List<Visits> visits;

    Draft(LabOptions from) {
      toolstack = from.toolstack;
      scheduler = from.scheduler;
      everyScheduler = from.everyScheduler;
      pcpus = from.pcpus;
      dom0Vcpus = from.dom0Vcpus;
      guests = from.guests;
      seed = from.seed;
      faults = from.faults;
      directory = from.directory;
      servers = from.servers;
      scene = from.scene;
      xenmon = from.xenmon;
      demands = from.demands;
      sshPort = from.sshPort;
      httpPort = from.httpPort;
      cgroup = from.cgroup;
      disk = from.disk;
      startScatter = from.startScatter;
      costs = from.costs;
      visits = from.visits;
    }

    LabOptions options() {
      return new LabOptions(
          toolstack,
          scheduler,
          everyScheduler,
          pcpus,
          dom0Vcpus,
          guests,
          seed,
          faults,
          directory,
          servers,
          scene,
          xenmon,
          demands,
          sshPort,
          httpPort,
          cgroup,
          disk,
          startScatter,
          costs,
          visits);
    }
  }
}
