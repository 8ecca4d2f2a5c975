package io.slicewise.host.groups;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.groups.Platform.Place;
import io.slicewise.host.groups.Snapshot.Node;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The guests of a host, from snapshots of its control groups. */
final class Inventory {

  private final RemoteShell shell;
  private final Trees trees;
  private final PlatformNames names;
  private Optional<Listed> last = Optional.empty();

  /** A snapshot with its guests by name, in the order of their paths. */
  record Listed(Snapshot snapshot, Map<String, Guest> guests) {
    Guest guest(String name) {
      return guests.get(name);
    }
  }

  Inventory(RemoteShell shell, Trees trees) {
    this.shell = shell;
    this.trees = trees;
    this.names = new PlatformNames(shell);
  }

  Trees trees() {
    return trees;
  }

  RemoteShell shell() {
    return shell;
  }

  /** Reads all groups. */
  Listed read() {
    return listed(Snapshot.read(shell, trees));
  }

  /** Takes what was printed of some groups' settings for what they have now. */
  Listed renewed(String printed) {
    return listed(known().snapshot().with(printed));
  }

  private Listed listed(Snapshot snapshot) {
    List<Place> places = Platform.guests(snapshot.groups());
    Map<String, Guest> guests = new LinkedHashMap<>();
    named(places).forEach((name, place) -> guests.put(name, guest(name, place, snapshot)));
    last = Optional.of(new Listed(snapshot, guests));
    return last.get();
  }

  /** Returns what was read last. */
  Listed known() {
    return last.orElseGet(this::read);
  }

  /** Returns the guests by unique names: those of their platform, or the end of their path. */
  private Map<String, Place> named(List<Place> places) {
    Map<Place, String> plain = names.of(places);
    Map<String, Long> times =
        plain.values().stream()
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    Map<String, Place> named = new LinkedHashMap<>();
    plain.forEach(
        (place, name) -> named.put(times.get(name) == 1 ? name : place.path().substring(1), place));
    return named;
  }

  static Guest guest(String name, Place place, Snapshot snapshot) {
    Node node = snapshot.groups().get(place.path());
    String above = Snapshot.above(place.path());
    long inode = Long.parseLong(node.inode());
    String invocation = snapshot.invocation(Platform.lastOf(place.path()));
    int id = (int) (inode % Integer.MAX_VALUE);
    if (!invocation.isEmpty()) {
      id = (31 * id + invocation.hashCode()) & Integer.MAX_VALUE;
    }
    Domain domain =
        new Domain(
            name,
            id == 0 ? Integer.MAX_VALUE : id,
            snapshot.cpus(above),
            snapshot.cpuSeconds(place.path()),
            above);
    return new Guest(
        name,
        place,
        domain,
        new GuestId(place.identity(), domain.id(), snapshot.boot()),
        node.inode(),
        snapshot.cpuset(place.path()).map(Node::inode).orElse(""),
        node.counter("cgroup.events", "frozen") == 1);
  }

  HostDescription describe() {
    Listed now = read();
    Map<String, Long> pools = new TreeMap<>();
    now.guests().values().forEach(guest -> pools.merge(guest.domain().cpupool(), 1L, Long::sum));
    List<CpuPool> all = new ArrayList<>();
    pools.forEach(
        (path, guests) ->
            all.add(
                new CpuPool(path, now.snapshot().cpus(path), Groups.SCHEDULER, guests.intValue())));
    HypervisorVersion version =
        trees.version().stateIn(HypervisorVersion.ofKernel(now.snapshot().release()), "");
    return new HostDescription(
        Groups.TOOLSTACK,
        version,
        now.snapshot().release(),
        now.snapshot().pcpus().cardinality(),
        Double.NaN,
        Groups.SCHEDULER,
        all);
  }

  /** Returns a guest of the last snapshot, or of a new one. */
  Guest located(String name) {
    Guest known = known().guest(name);
    Guest now = known == null ? read().guest(name) : known;
    if (now == null) {
      throw new HypervisorException(
          "%s %s on %s.".formatted(name, whyMissing(name), shell.address()),
          "Start it, or correct its name: 'slicewise doctor' lists the guests.");
    }
    return now;
  }

  /** Returns why a name is no guest's; a group above guests has a reason of its own. */
  String whyMissing(String name) {
    Listed now = known();
    List<String> inside =
        now.guests().values().stream()
            .filter(
                guest ->
                    now.snapshot().ancestors(guest.path()).stream()
                        .anyMatch(
                            above ->
                                above.substring(1).equals(name)
                                    || Platform.lastOf(above).equals(name)))
            .map(Guest::name)
            .toList();
    return inside.isEmpty()
        ? "is not a control group with a guest; guests are "
            + String.join(", ", now.guests().keySet())
        : "is a group above guests, whose settings count for all of them together; guests in it are "
            + String.join(", ", inside);
  }

  /**
   * The names that platforms give their guests. A platform's program is asked once for each new
   * guest; a guest that it does not name gets the start of its id, or the end of its path.
   */
  private static final class PlatformNames {
    private static final int SHORT_ID = 12;
    private static final List<String> CONTAINERS = List.of("ps", "--no-trunc", "--format");
    private static final Pattern CONFIGURED =
        Pattern.compile("/etc/pve/(?:lxc|qemu-server)/(\\d+)\\.conf:(?:hostname|name): *(\\S+)");

    private final RemoteShell shell;
    private final Map<String, String> names = new HashMap<>();
    private final Set<String> asked = new HashSet<>();

    PlatformNames(RemoteShell shell) {
      this.shell = shell;
    }

    /** Returns the guests' names, which need not be unique. */
    Map<Place, String> of(List<Place> places) {
      places.stream()
          .filter(place -> asked.add(place.identity()))
          .map(Place::platform)
          .distinct()
          .toList()
          .forEach(this::ask);
      Map<Place, String> named = new LinkedHashMap<>();
      places.forEach(place -> named.put(place, name(place)));
      return named;
    }

    private String name(Place place) {
      String usual =
          switch (place.platform()) {
            case PLAIN -> Platform.lastOf(place.path());
            case DOCKER, PODMAN -> place.id().substring(0, SHORT_ID);
            case PODMAN_POD -> "pod-" + place.id().substring(0, SHORT_ID);
            case POD -> "pod" + place.id().replace('_', '-');
            case LIBVIRT -> unescaped(place.id());
            default -> place.id();
          };
      return names.getOrDefault(place.identity(), usual);
    }

    /** systemd writes a dash in a name as {@code \x2d}. */
    private static String unescaped(String name) {
      return name.replace("\\x2d", "-");
    }

    private void ask(Platform platform) {
      switch (platform) {
        case DOCKER -> containers(platform, "docker");
        case PODMAN -> containers(platform, "podman");
        case PROXMOX_VM, PROXMOX_CONTAINER -> configured(platform);
        default -> {}
      }
    }

    private void containers(Platform platform, String program) {
      CommandResult listed =
          shell.run(
              Command.reading(
                  program,
                  CONTAINERS.get(0),
                  CONTAINERS.get(1),
                  CONTAINERS.get(2),
                  "{{.ID}} {{.Names}}"));
      if (listed.succeeded()) {
        listed
            .standardOutput()
            .lines()
            .map(line -> line.split(" ", 2))
            .filter(fields -> fields.length == 2)
            .forEach(fields -> names.put(platform.word() + " " + fields[0], fields[1]));
      }
    }

    private void configured(Platform platform) {
      String kind = platform == Platform.PROXMOX_VM ? "qemu-server" : "lxc";
      String program = "grep -sH -e '^hostname:' -e '^name:' /etc/pve/%s/*.conf".formatted(kind);
      Matcher lines =
          CONFIGURED.matcher(shell.run(Command.reading("sh", "-c", program)).standardOutput());
      while (lines.find()) {
        names.put(platform.word() + " " + lines.group(1), lines.group(2));
      }
    }
  }

  /**
   * A guest: a group of one life.
   *
   * @param name unique on the host
   * @param domain with the pCPUs that the group above may use as its vCPUs, and that group as its
   *     pool
   * @param id the inode of its directory, in the boot of its host
   * @param cpuset the inode of its directory in the tree of cpusets; empty if it is not there
   */
  record Guest(
      String name,
      Platform.Place place,
      Domain domain,
      GuestId id,
      String inode,
      String cpuset,
      boolean frozen) {
    /** Returns the guest without what is of one life alone. */
    Guest inAnyLife() {
      String lasting = place.identity().isEmpty() ? place.path() : place.identity();
      int number = Math.max(1, lasting.hashCode() & Integer.MAX_VALUE);
      Domain any = new Domain(name, number, domain.vcpus(), domain.cpuSeconds(), domain.cpupool());
      return new Guest(
          name, place, any, new GuestId(place.identity(), number, ""), inode, cpuset, frozen);
    }

    String path() {
      return place.path();
    }
  }
}
