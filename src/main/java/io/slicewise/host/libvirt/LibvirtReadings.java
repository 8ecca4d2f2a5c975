package io.slicewise.host.libvirt;

import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.libvirt.LibvirtInventory.RunningGuest;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the settings of guests. virsh reads shares and the quotas of the first vCPU from the
 * control groups; those of the other vCPUs are read there as well, since they may differ.
 */
final class LibvirtReadings {
  private final LibvirtInventory inventory;
  private final KernelFiles files;
  private final GuestProcesses processes;
  private final Map<String, String> lives = new ConcurrentHashMap<>();

  /**
   * Why the last reading understood nothing of a guest, by name; the others do not depend on it.
   */
  private final Map<String, String> unreadable = new ConcurrentHashMap<>();

  /** The quotas and periods that the host's libvirt does not list, as of the last reading. */
  private final Set<Parameter<Duration>> unlisted = ConcurrentHashMap.newKeySet();

  /** The lives of guests that were asked for their vCPUs, and whether an agent answered. */
  private final Map<String, Boolean> answers = new ConcurrentHashMap<>();

  LibvirtReadings(Virsh virsh, LibvirtInventory inventory) {
    this.inventory = inventory;
    this.files = new KernelFiles(virsh.shell());
    this.processes = new GuestProcesses(virsh.shell());
  }

  /** Returns why a guest that runs had no settings at the last reading; empty if it had. */
  Optional<String> unreadable(String name) {
    return Optional.ofNullable(unreadable.get(name));
  }

  /** Returns the quotas and periods that a wanted setting needs and this libvirt does not have. */
  List<String> unlisted(SchedulerParameters wanted) {
    return unlisted.stream()
        .filter(
            time ->
                wanted.each().stream().anyMatch(one -> !one.get(time).equals(time.defaultValue())))
        .map(Parameter::key)
        .sorted()
        .toList();
  }

  /** Returns the settings of the running guests that can be understood, by id. */
  List<Setting> all() {
    Map<RunningGuest, List<String>> printed = inventory.running(this::listings);
    Map<String, String> groups = groups(printed.keySet());
    List<String> paths = new ArrayList<>();
    for (RunningGuest one : printed.keySet()) {
      Optional.ofNullable(groups.get(one.name()))
          .ifPresent(
              group -> paths.addAll(inventory.tree().quotaFiles(group, one.domain().vcpus())));
    }
    Map<String, String> quotas = files.read(paths);
    List<Setting> settings = new ArrayList<>();
    unreadable.clear();
    printed.forEach(
        (one, read) -> {
          if (isOfRunning(read.get(0))) {
            try {
              SchedulerParameters shown =
                  pinned(SchedInfo.parse(one.name(), read.get(0)), one, read);
              unlisted.addAll(SchedInfo.unlisted(one.name(), read.get(0)));
              String group = groups.getOrDefault(one.name(), "");
              settings.add(new Setting(one.domain(), byVcpu(one, shown, group, quotas)));
            } catch (HypervisorException | IllegalArgumentException unclear) {
              unreadable.put(one.name(), unclear.getMessage().replaceFirst("\\.$", ""));
            }
          }
        });
    return List.copyOf(settings);
  }

  /** A guest that never answered is not asked again: libvirt waits seconds for one that hangs. */
  private List<List<String>> listings(RunningGuest guest) {
    List<List<String>> listings = new ArrayList<>(List.of(schedinfo(guest), vcpupin(guest)));
    boolean asked = answers.getOrDefault(guest.life(), true);
    VirshKnob.ALL.forEach(
        knob ->
            listings.add(
                knob.asksGuest() && !asked ? List.of("echo") : knob.reading(guest.uuid())));
    return listings;
  }

  private SchedulerParameters pinned(
      SchedulerParameters shown, RunningGuest guest, List<String> read) {
    SchedulerParameters pinned = shown.with(Cfs.PINNING, Pinning.of(pinning(guest, read.get(1))));
    for (int i = 0; i < VirshKnob.ALL.size(); i++) {
      VirshKnob knob = VirshKnob.ALL.get(i);
      String value = knob.parse(read.get(i + 2));
      if (knob.asksGuest()) {
        answers.merge(guest.life(), !value.isEmpty(), Boolean::logicalOr);
      }
      pinned = pinned.with(knob.parameter(), value);
    }
    return SchedInfo.withoutThreads(pinned);
  }

  private static List<String> pinning(RunningGuest guest, String listed) {
    return PinningListing.parse(guest.name(), listed, guest.domain().vcpus());
  }

  /** Returns whether the guest still runs; otherwise virsh prints only the first line. */
  private static boolean isOfRunning(String listed) {
    return listed.lines().filter(line -> !line.isBlank()).count() > 1;
  }

  private SchedulerParameters byVcpu(
      RunningGuest guest, SchedulerParameters shown, String group, Map<String, String> quotas) {
    List<SchedulerParameters> vcpus = new ArrayList<>();
    for (int vcpu = 1; vcpu < guest.domain().vcpus(); vcpu++) {
      inventory.tree().withQuota(shown, group, vcpu, quotas).ifPresent(vcpus::add);
    }
    return vcpus.stream().allMatch(shown::equals)
        ? shown
        : SchedulerParameters.byVcpu(Stream.concat(Stream.of(shown), vcpus.stream()).toList());
  }

  /** Returns the pCPUs of each vCPU of each running guest as virsh prints them; none if unclear. */
  Map<RunningGuest, List<String>> affinities() {
    Map<RunningGuest, List<String>> affinities = new LinkedHashMap<>();
    inventory
        .running(one -> List.of(vcpupin(one)))
        .forEach((one, read) -> affinities.put(one, affinity(one, read.get(0))));
    return affinities;
  }

  private static List<String> affinity(RunningGuest guest, String listed) {
    try {
      return listed.isBlank() ? List.of() : pinning(guest, listed);
    } catch (HypervisorException | IllegalArgumentException unclear) {
      return List.of();
    }
  }

  /**
   * Returns the parent group of the guests, whose weight they share relative to the rest of the
   * host.
   */
  HostState.Pool pool(Collection<RunningGuest> guests) {
    List<String> above =
        groups(guests).values().stream().map(inventory.tree()::sharesAbove).distinct().toList();
    Map<String, String> read = files.read(above);
    String shares = String.join(", ", read.values().stream().map(String::strip).toList());
    return new HostState.Pool(
        "cfs", Integer.toString(inventory.count()), shares.isEmpty() ? "" : "shares " + shares);
  }

  /** Returns the guests' groups by name, which do not change while a guest runs. */
  private Map<String, String> groups(Collection<RunningGuest> guests) {
    Map<String, String> uuids = new LinkedHashMap<>();
    guests.stream()
        .filter(one -> !lives.containsKey(one.life()))
        .forEach(one -> uuids.put(one.name(), one.uuid()));
    if (!uuids.isEmpty()) {
      Map<String, String> found = processes.groups(inventory.tree(), processes.pids(uuids));
      guests.stream()
          .filter(one -> found.containsKey(one.name()))
          .forEach(one -> lives.put(one.life(), found.get(one.name())));
    }
    Map<String, String> groups = new LinkedHashMap<>();
    guests.stream()
        .filter(one -> lives.containsKey(one.life()))
        .forEach(one -> groups.put(one.name(), lives.get(one.life())));
    return groups;
  }

  private static List<String> schedinfo(RunningGuest guest) {
    return List.of("schedinfo", "--live", "--domain", guest.uuid());
  }

  private static List<String> vcpupin(RunningGuest guest) {
    return List.of("vcpupin", "--live", "--domain", guest.uuid());
  }

  /** Parses {@code virsh vcpupin}: the pCPUs of each vCPU. */
  static final class PinningListing {
    private static final Pattern ROW = Pattern.compile("\\s*(\\d+):?\\s+([0-9^,-]+)\\s*");

    private PinningListing() {}

    /**
     * Returns the pCPUs by vCPU number.
     *
     * @param vcpus online vCPUs, whose rows come first; virsh also lists vCPUs that a guest could
     *     have
     */
    static List<String> parse(String guest, String text, int vcpus) {
      List<String> cpus = new ArrayList<>();
      for (String line : text.lines().toList()) {
        Matcher row = ROW.matcher(line);
        if (cpus.size() < vcpus && row.matches() && Integer.parseInt(row.group(1)) == cpus.size()) {
          cpus.add(row.group(2));
        }
      }
      if (cpus.isEmpty()) {
        throw new HypervisorException(
            "'virsh vcpupin' of %s cannot be understood: '%s'."
                .formatted(guest, text.strip().replace('\n', '/')),
            "Please report it with the version of libvirt.");
      }
      return List.copyOf(cpus);
    }
  }
}
