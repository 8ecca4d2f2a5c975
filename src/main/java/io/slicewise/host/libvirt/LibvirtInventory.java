package io.slicewise.host.libvirt;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.libvirt.GuestListing.Guest;
import io.slicewise.profile.Pinning;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions, pCPUs, control groups and guests of a libvirt host. */
final class LibvirtInventory {
  /** libvirt's name of the control group that contains all guests. */
  static final String POOL = "machine";

  private static final String BOOT = "/proc/sys/kernel/random/boot_id";
  private static final String ONLINE = "/sys/devices/system/cpu/online";
  private static final String KERNEL = "/proc/sys/kernel/osrelease";
  private static final Pattern CPUS = Pattern.compile("(?m)^CPU\\(s\\): +(\\d+)");
  private static final Pattern CLOCK = Pattern.compile("(?m)^CPU frequency: +(\\d+) MHz");

  private static final List<List<String>> LISTING =
      List.of(GuestListing.NAMES, GuestListing.TABLE, GuestStats.COMMAND);

  /** Listings until guests that come and go are left out. */
  private static final int ATTEMPTS = 3;

  private final Virsh virsh;
  private final KernelFiles files;
  private Optional<ControlGroups> tree = Optional.empty();
  private List<RunningGuest> last = List.of();
  private List<Guest> listed = List.of();
  private int pcpus;

  LibvirtInventory(Virsh virsh) {
    this.virsh = virsh;
    this.files = new KernelFiles(virsh.shell());
  }

  HostDescription describe() {
    List<List<String>> commands = new ArrayList<>(LISTING);
    commands.add(VersionText.COMMAND);
    commands.add(List.of("nodeinfo"));
    List<String> read = virsh.readAll(commands);
    int running = running(read).size();
    read = read.subList(LISTING.size(), read.size());
    String version = read.get(0);
    HypervisorVersion libvirt =
        cgroups().stateIn(VersionText.libvirt(version), VersionText.emulator(version));
    String node = read.get(1);
    pcpus = (int) number(CPUS, node);
    CpuPool all = new CpuPool(POOL, pcpus, "cfs", running);
    return new HostDescription(
        Libvirt.TOOLSTACK, libvirt, file(KERNEL), pcpus, number(CLOCK, node), "cfs", List.of(all));
  }

  /** Returns the host's number of pCPUs. */
  int count() {
    return pcpus == 0 ? describe().pcpus() : pcpus;
  }

  /** Returns the host's pCPUs that are online; without the kernel's list, the first ones. */
  BitSet pcpus() {
    String online = file(ONLINE);
    return online.isEmpty() ? Pinning.first(count()) : Pinning.cpus(online);
  }

  private static double number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Double.parseDouble(matcher.group(1)) : Double.NaN;
  }

  private String file(String path) {
    return files.read(List.of(path)).getOrDefault(path, "").strip();
  }

  /** Returns the id of the host's boot; empty if unknown. */
  String boot() {
    return file(BOOT);
  }

  CgroupVersion cgroups() {
    return tree().version();
  }

  /** Returns the tree of control groups, which does not change while the host runs. */
  ControlGroups tree() {
    if (tree.isEmpty()) {
      tree = Optional.of(ControlGroups.of(virsh.shell().address(), file(ControlGroups.MOUNTS)));
    }
    return tree.get();
  }

  /** Returns all guests in the last listing, running or not. */
  List<Guest> listed() {
    return listed;
  }

  /** Lists all guests, running or not. */
  List<Guest> guests() {
    List<String> read = virsh.readAll(List.of(GuestListing.NAMES, GuestListing.TABLE));
    return GuestListing.parse(read.get(0), read.get(1));
  }

  /** Returns the running guests, by id. */
  List<RunningGuest> running() {
    return running(virsh.readAll(LISTING));
  }

  /**
   * Returns what commands print for each running guest, listed in the same call; the guests that
   * were listed last are expected, and others make another call necessary.
   *
   * @param more commands for a guest
   */
  Map<RunningGuest, List<String>> running(Function<RunningGuest, List<List<String>>> more) {
    Map<RunningGuest, List<String>> known = Map.of();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<List<String>> commands = new ArrayList<>(LISTING);
      Map<String, int[]> places = new HashMap<>();
      for (RunningGuest expected : last) {
        int place = commands.size();
        commands.addAll(more.apply(expected));
        places.put(expected.life(), new int[] {place, commands.size()});
      }
      List<String> read = virsh.readAll(commands);
      known = new LinkedHashMap<>();
      for (RunningGuest one : running(read)) {
        int[] place = places.get(one.life());
        if (place != null && place[1] <= read.size()) {
          known.put(one, read.subList(place[0], place[1]));
        }
      }
      if (known.size() == last.size()) {
        break;
      }
    }
    return known;
  }

  private List<RunningGuest> running(List<String> read) {
    listed = GuestListing.parse(read.get(0), read.get(1));
    List<Guest> guests = listed.stream().filter(Guest::isOn).toList();
    Map<String, GuestStats> stats = GuestStats.parse(read.get(2));
    List<RunningGuest> running = new ArrayList<>();
    for (Guest guest : guests) {
      GuestStats seen = stats.get(guest.name());
      if (seen != null) {
        running.add(
            new RunningGuest(
                guest.uuid(),
                new Domain(
                    guest.name(), guest.id().getAsInt(), seen.vcpus(), seen.cpuSeconds(), POOL),
                seen.wasResumed() ? "running after a pause" : guest.state()));
      }
    }
    running.sort(Comparator.comparingInt(one -> one.domain().id()));
    last = List.copyOf(running);
    return last;
  }

  /**
   * Returns the guest of that name from the last listing, for plans; lists again if it is missing.
   */
  RunningGuest known(String name) {
    return last.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseGet(() -> located(name));
  }

  RunningGuest located(String name) {
    return running().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new HypervisorException(
                    "%s %s on %s.".formatted(name, whyMissing(name), virsh.shell().address()),
                    "Start it, or correct its name: settings are those of a running guest."));
  }

  /** Returns why a guest is not running: {@code is shut off}. */
  String whyMissing(String name) {
    return guests().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .map(one -> "is " + one.state())
        .orElse("does not exist");
  }

  /** Parses {@code virsh domstats}: a line for each guest, then its values, indented. */
  static final class GuestStats {
    static final List<String> COMMAND = List.of("domstats", "--state", "--cpu-total", "--vcpu");

    private static final String HEAD = "Domain: '";
    private static final String RUNNING = "1";
    private static final String UNPAUSED = "5";
    private static final String SHUT_OFF = "5";

    private final Map<String, String> values = new HashMap<>();

    private GuestStats() {}

    /** Returns the values of each guest by its name, in virsh's order. */
    static Map<String, GuestStats> parse(String text) {
      Map<String, GuestStats> byName = new LinkedHashMap<>();
      GuestStats current = new GuestStats();
      for (String line : text.lines().toList()) {
        if (line.startsWith(HEAD) && line.endsWith("'")) {
          current = new GuestStats();
          byName.put(line.substring(HEAD.length(), line.length() - 1), current);
        } else if (line.startsWith("  ") && line.indexOf('=') > 0) {
          int equals = line.indexOf('=');
          current.values.put(line.substring(2, equals), line.substring(equals + 1).strip());
        }
      }
      return byName;
    }

    /** Returns whether the guest is running; otherwise the numbers are libvirt's own. */
    boolean isOn() {
      return !values.getOrDefault("state.state", "").equals(SHUT_OFF);
    }

    /**
     * Returns whether the guest was paused since it started, as long as it has not been migrated.
     */
    boolean wasResumed() {
      return values.getOrDefault("state.state", "").equals(RUNNING)
          && values.getOrDefault("state.reason", "").equals(UNPAUSED);
    }

    int vcpus() {
      return (int) number("vcpu.current").orElse(0);
    }

    /** Returns the CPU time of all its threads; {@code NaN} if unknown. */
    double cpuSeconds() {
      OptionalLong nanos = number("cpu.time");
      return nanos.isPresent() && isOn() ? nanos.getAsLong() / 1e9 : Double.NaN;
    }

    private OptionalLong number(String key) {
      try {
        return OptionalLong.of(Long.parseLong(values.getOrDefault(key, "")));
      } catch (NumberFormatException e) {
        return OptionalLong.empty();
      }
    }
  }

  /**
   * A running or paused guest.
   *
   * @param activity its state as virsh prints it
   */
  record RunningGuest(String uuid, Domain domain, String activity) {
    String name() {
      return domain.name();
    }

    /** Returns what no other guest and no other start of this one has. */
    String life() {
      return uuid + " " + domain.id();
    }

    GuestId identity(String boot) {
      return new GuestId(uuid, domain.id(), boot);
    }
  }

  /** Parses {@code virsh version --daemon}. */
  static final class VersionText {
    static final List<String> COMMAND = List.of("version", "--daemon");

    private static final Pattern DAEMON =
        Pattern.compile("(?m)^Running against daemon: (\\d+)\\.(\\d+)(\\S*)");
    private static final Pattern LIBRARY =
        Pattern.compile("(?m)^Using library: libvirt (\\d+)\\.(\\d+)(\\S*)");
    private static final Pattern HYPERVISOR = Pattern.compile("(?m)^Running hypervisor: (.*\\S)");

    private VersionText() {}

    /** Returns the daemon's version; the library's if an old daemon shows none. */
    static HypervisorVersion libvirt(String text) {
      Matcher version = DAEMON.matcher(text);
      if (!version.find()) {
        version = LIBRARY.matcher(text);
        if (!version.find()) {
          throw new HypervisorException(
              "'virsh version' printed no version of libvirt: '%s'.".formatted(text.strip()),
              "Please report it with the version of libvirt.");
        }
      }
      return new HypervisorVersion(
          Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)), version.group(3));
    }

    /** Returns {@code QEMU 7.2.22}; empty if none runs. */
    static String emulator(String text) {
      Matcher hypervisor = HYPERVISOR.matcher(text);
      return hypervisor.find() ? hypervisor.group(1) : "";
    }
  }
}
