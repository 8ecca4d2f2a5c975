package io.slicewise.lab;

import io.slicewise.base.yaml.Option;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.guest.Scene;
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
import java.util.function.Consumer;

/**
 * What a lab is like. The defaults are the host of the 2010 study under today's Xen: four pCPUs,
 * Domain-0 with four vCPUs, the web server with one, file server and database with two each.
 *
 * @param scheduler Pool-0's; empty = the version's default
 * @param pcpus 1..64
 * @param dom0Vcpus 1..64
 * @param guests at least one
 * @param seed decides every random draw of the lab: service times, temporary names, tick phases
 * @param directory where keys and the control domain's files live on; empty = a temporary one
 * @param servers whether the scene's servers are started; SSH alone starts in a fraction of a
 *     second
 * @param scene which workload's servers run in the guests
 * @param xenmon whether the host has xenmon; most distributions ship none
 * @param sshPort 0 = any free one
 * @param httpPort 0 = any free one
 * @param cgroup the version of control groups on a host with libvirt
 */
public record LabOptions(
    LabToolstack toolstack,
    Optional<Scheduler> scheduler,
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
    GroupVersion cgroup) {

  private static final LabOptions DEFAULTS =
      new LabOptions(
          LabToolstack.parse("xl-4.17"),
          Optional.empty(),
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
          GroupVersion.V1);

  public LabOptions {
    guests = List.copyOf(guests);
    faults = List.copyOf(faults);
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
    Set<Scheduler> there =
        toolstack.isVirsh()
            ? Set.of(Scheduler.CFS)
            : new BuiltIn(toolstack.version(), true).schedulers();
    if (scheduler.isPresent() && !there.contains(scheduler.get())) {
      throw new IllegalArgumentException(
          "scheduler "
              + scheduler.get().xenName()
              + " is not in the lab's "
              + (toolstack.isVirsh()
                  ? "Linux"
                  : "Xen " + toolstack.version().major() + "." + toolstack.version().minor())
              + ", which has "
              + there.stream().map(Scheduler::xenName).sorted().toList());
    }
  }

  /** Everything by default, servers included. */
  public static LabOptions defaults() {
    return DEFAULTS;
  }

  /** The default host reached by SSH alone: no servers. */
  public static LabOptions sshOnly() {
    return DEFAULTS.withServers(false);
  }

  /**
   * Reads the {@code lab:} part of an experiment file.
   *
   * @throws io.slicewise.base.units.SlicewiseException naming every fault of the map at once
   */
  public static LabOptions from(Map<String, Object> map) {
    return from(map, Scenes.WEB_APP);
  }

  /** The same for another scene, whose guests there are unless the map names others. */
  public static LabOptions from(Map<String, Object> map, Scene scene) {
    return LabOptionsReader.read(map, defaults().withScene(scene));
  }

  /** The keys of {@code lab:} in an experiment file. */
  public static List<Option> keys() {
    return LabOptionsReader.OPTIONS;
  }

  /** The scheduler Pool-0 starts with. */
  public Scheduler bootScheduler() {
    return toolstack.isVirsh() ? Scheduler.CFS : scheduler.orElseGet(() -> builtIn().bootDefault());
  }

  /** RTDS left out by default in 4.16 and later is there if it was asked for. */
  BuiltIn builtIn() {
    return new BuiltIn(toolstack.version(), scheduler.filter(Scheduler.RTDS::equals).isPresent());
  }

  /** E.g. {@code xm-3.3}, {@code xl-4.17}. */
  public LabOptions withToolstack(String text) {
    return with(draft -> draft.toolstack = LabToolstack.parse(text));
  }

  /**
   * As people ask for it on a command line: a hypervisor, a toolstack, both or neither.
   *
   * @throws IllegalArgumentException when they do not fit, or one is unknown
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

  /** A host with libvirt, and that version of control groups. */
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

  public LabOptions withServers(boolean started) {
    return with(draft -> draft.servers = started);
  }

  /** With the servers of another workload, and the guests that are theirs. */
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

  /** The one copy behind every {@code with…}: what a change does not assign stays as it is. */
  private LabOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Options while they are changed. */
  private static final class Draft {
    private LabToolstack toolstack;
    private Optional<Scheduler> scheduler;
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

    Draft(LabOptions from) {
      toolstack = from.toolstack;
      scheduler = from.scheduler;
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
    }

    LabOptions options() {
      return new LabOptions(
          toolstack, scheduler, pcpus, dom0Vcpus, guests, seed, faults, directory, servers, scene,
          xenmon, demands, sshPort, httpPort, cgroup);
    }
  }
}
