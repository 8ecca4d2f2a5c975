package io.slicewise.host.libvirt;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.CgroupVersion;
import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Remark;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.Knob;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.host.libvirt.GuestListing.Guest;
import io.slicewise.host.libvirt.LibvirtInventory.RunningGuest;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A libvirt host. Commands name guests by UUID, since virsh takes a numeric name for another
 * guest's id, and change only running guests, never the settings with which they start. The id, the
 * process and the control groups of a guest change when it restarts, so they are read at each call.
 */
final class LibvirtHost implements Hypervisor {
  private final Libvirt kind;
  private final Virsh virsh;
  private final LibvirtInventory inventory;
  private final LibvirtReadings readings;

  LibvirtHost(Libvirt kind, Virsh virsh) {
    this.kind = kind;
    this.virsh = virsh;
    this.inventory = new LibvirtInventory(virsh);
    this.readings = new LibvirtReadings(virsh, inventory);
  }

  @Override
  public HypervisorKind kind() {
    return kind;
  }

  @Override
  public HostDescription describe() {
    return inventory.describe();
  }

  @Override
  public BitSet pcpus() {
    return inventory.pcpus();
  }

  @Override
  public List<Domain> domains() {
    return inventory.running().stream().map(RunningGuest::domain).toList();
  }

  @Override
  public List<Setting> settings() {
    return readings.all();
  }

  @Override
  public Map<String, GuestId> guests() {
    Map<String, GuestId> guests = new LinkedHashMap<>();
    String boot = inventory.boot();
    inventory.running().forEach(one -> guests.put(one.name(), one.identity(boot)));
    return guests;
  }

  @Override
  public HostState state() {
    Map<RunningGuest, List<String>> affinities = readings.affinities();
    String boot = inventory.boot();
    Map<String, HostState.Guest> guests = new LinkedHashMap<>();
    affinities.forEach(
        (one, pcpus) ->
            guests.put(
                one.name(),
                new HostState.Guest(
                    one.identity(boot),
                    LibvirtInventory.POOL,
                    one.domain().vcpus(),
                    pcpus,
                    one.activity())));
    return new HostState(guests, Map.of(LibvirtInventory.POOL, readings.pool(affinities.keySet())));
  }

  @Override
  public Optional<String> refusal(String domain, SchedulerParameters wanted) {
    return Hypervisor.super
        .refusal(domain, wanted)
        .or(() -> unreadable(domain).map(reason -> domain + " " + reason))
        .or(() -> unlisted(domain, wanted))
        .or(() -> missingPcpu(domain, wanted))
        .or(() -> outOfRange(domain, wanted))
        .or(() -> lacking(domain, wanted));
  }

  /** Returns what the guest or its host has not: threads for disks, or weights at disks. */
  private Optional<String> lacking(String domain, SchedulerParameters wanted) {
    if (wanted.get(Cfs.IOTHREAD_QUOTA).isZero()
        && VirshKnob.ALL.stream().allMatch(knob -> wanted.get(knob.parameter()).isEmpty())) {
      return Optional.empty();
    }
    SchedulerParameters read = Setting.byName(readings.all()).get(domain);
    try {
      return Optional.ofNullable(read)
          .map(current -> commands(inventory.known(domain), current, wanted))
          .flatMap(commands -> Optional.empty());
    } catch (HypervisorException refused) {
      return Optional.of(domain + ": " + refused.reason());
    }
  }

  private Optional<String> unlisted(String domain, SchedulerParameters wanted) {
    List<String> missing = readings.unlisted(wanted);
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s of %s needs a newer libvirt: 'virsh schedinfo' of this one does not list it"
                .formatted(missing.get(missing.size() - 1), domain));
  }

  private Optional<String> missingPcpu(String domain, SchedulerParameters wanted) {
    List<Parameter<String>> named =
        Cfs.PINNINGS.stream().filter(one -> !wanted.get(one).isEmpty()).toList();
    if (named.isEmpty()) {
      return Optional.empty();
    }
    BitSet pcpus = inventory.pcpus();
    return named.stream()
        .flatMap(
            one ->
                Pinning.absent(wanted.get(one), pcpus)
                    .map(
                        rule ->
                            "%s %s of %s %s".formatted(one.key(), wanted.get(one), domain, rule))
                    .stream())
        .findFirst();
  }

  private Optional<String> outOfRange(String name, SchedulerParameters wanted) {
    try {
      RunningGuest guest = inventory.known(name);
      new SettingLimits(inventory.cgroups()).check(name, guest.domain().vcpus(), wanted);
      return Optional.empty();
    } catch (HypervisorException refused) {
      return Optional.of(refused.reason());
    }
  }

  @Override
  public String whyMissing(String name) {
    return unreadable(name).orElseGet(() -> inventory.whyMissing(name));
  }

  @Override
  public String whyWithoutSettings(String name) {
    return unreadable(name).orElse("started or stopped while it was read");
  }

  private Optional<String> unreadable(String name) {
    return readings.unreadable(name).map("cannot be set: "::concat);
  }

  @Override
  public List<Remark> remarks() {
    return new HostRemarks(virsh.shell(), inventory, readings).all();
  }

  /** Ignores differences in pinning that is not changed, and in the host's default shares. */
  @Override
  public boolean shows(SchedulerParameters set, SchedulerParameters read) {
    if (set.scheduler() != read.scheduler() || set.isByVcpu()) {
      return set.equals(read);
    }
    return read.each().stream().allMatch(one -> showOne(set, one));
  }

  private boolean showOne(SchedulerParameters set, SchedulerParameters read) {
    SchedulerParameters shown =
        Cfs.hasDefaultShares(set) && read.get(Cfs.SHARES) == inventory.cgroups().defaultShares()
            ? read.with(Cfs.SHARES, set.get(Cfs.SHARES))
            : read;
    if (Cfs.leavesPinning(set)
        || Pinning.shown(set.get(Cfs.PINNING)).equals(shown.get(Cfs.PINNING))) {
      shown = shown.with(Cfs.PINNING, set.get(Cfs.PINNING));
    }
    for (VirshKnob threads : VirshKnob.ALL) {
      if (threads.shows(set, shown)) {
        shown = shown.with(threads.parameter(), set.get(threads.parameter()));
      }
    }
    return set.equals(shown);
  }

  @Override
  public Optional<String> unrestorable(SchedulerParameters shown) {
    return shown.isByVcpu()
        ? Optional.of("its vCPUs have quotas of their own, and virsh sets all alike")
        : Optional.empty();
  }

  @Override
  public Hypervisor durable() {
    return new KeptSettings(kind, virsh, inventory);
  }

  @Override
  public List<Command> commandsFor(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    return commands(inventory.known(target.name()), current, wanted);
  }

  private List<Command> commands(
      RunningGuest guest, SchedulerParameters current, SchedulerParameters wanted) {
    if (shows(wanted, current)) {
      return List.of();
    }
    CgroupVersion version = inventory.cgroups();
    int vcpus = guest.domain().vcpus();
    new SettingLimits(version).check(guest.name(), vcpus, wanted, current);
    return new SettingWords(version)
        .of(List.of("--domain", guest.uuid()), vcpus, current, wanted).stream()
            .map(virsh::changing)
            .toList();
  }

  @Override
  public Knob.Handle handle(Setting setting, Parameter<?> parameter) {
    return new Knob.Handle(
        "virsh "
            + VirshKnob.ALL.stream()
                .filter(threads -> threads.parameter().equals(parameter))
                .map(VirshKnob::command)
                .findFirst()
                .orElse(parameter.equals(Cfs.PINNING) ? "vcpupin" : "schedinfo"),
        "guest restart");
  }

  @Override
  public Optional<Undo> undo(Target target, Undo.Change change) {
    return change.found().isByVcpu()
        ? Optional.empty()
        : Optional.of(
            new VirshUndo(virsh, inventory.cgroups()).of(inventory.known(target.name()), change));
  }

  @Override
  public List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected) {
    Map<String, SchedulerParameters> before = Setting.byName(readings.all());
    List<RunningGuest> guests = known(wanted.stream().map(one -> one.target().name()).toList());
    requireRunning(guests, before);
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < guests.size(); i++) {
      RunningGuest guest = guests.get(i);
      SchedulerParameters read = before.get(guest.name());
      if (wanted.get(i).target().isSame(guest.domain())) {
        requireUnchanged(guest.domain(), Optional.ofNullable(expected.get(guest.name())), read);
      }
      commands.addAll(commands(guest, read, wanted.get(i).parameters()));
    }
    try {
      commands.forEach(virsh::change);
    } catch (HypervisorException refused) {
      throw withReading(refused, guests);
    }
    return readBack(wanted, guests);
  }

  /** Returns the guests of these names from the last listing. */
  private List<RunningGuest> known(List<String> names) {
    return names.stream().map(inventory::known).toList();
  }

  /**
   * Reads all values after a failure, since a command with several values can fail after some took
   * effect.
   */
  private HypervisorException withReading(HypervisorException refused, List<RunningGuest> guests) {
    try {
      List<String> names = guests.stream().map(RunningGuest::name).toList();
      List<String> read =
          readings.all().stream()
              .filter(one -> names.contains(one.target().name()))
              .map(one -> one.target().name() + " has " + one.parameters())
              .toList();
      return new HypervisorException(
          "%s Now %s.".formatted(ended(refused.getMessage()), String.join("; ", read)),
          refused.hint());
    } catch (HypervisorException | RemoteShellException unread) {
      refused.addSuppressed(unread);
      return refused;
    }
  }

  private static String ended(String sentence) {
    return sentence.endsWith(".") ? sentence : sentence + ".";
  }

  private List<Applied> readBack(List<Setting> wanted, List<RunningGuest> guests) {
    Map<String, SchedulerParameters> after = Setting.byName(readings.all());
    List<RunningGuest> now = known(guests.stream().map(RunningGuest::name).toList());
    for (int i = 0; i < guests.size(); i++) {
      RunningGuest guest = guests.get(i);
      RunningGuest same = now.get(i);
      if (!same.life().equals(guest.life())) {
        throw new HypervisorException(
            "%s restarted while it was being set: its id was %d and is %d now."
                .formatted(guest.name(), guest.domain().id(), same.domain().id()),
            "Set it again.");
      }
    }
    requireRunning(now, after);
    List<Applied> applied = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      SchedulerParameters asked = wanted.get(i).parameters();
      SchedulerParameters read = after.get(now.get(i).name());
      applied.add(new Applied(now.get(i).domain(), asked, read, shows(asked, read)));
    }
    return List.copyOf(applied);
  }

  private void requireRunning(List<RunningGuest> guests, Map<String, SchedulerParameters> read) {
    for (RunningGuest guest : guests) {
      unreadable(guest.name())
          .ifPresent(
              reason -> {
                throw new HypervisorException(
                    "%s %s.".formatted(guest.name(), reason),
                    "Please report it with the version of libvirt.");
              });
      if (!read.containsKey(guest.name())) {
        throw new HypervisorException(
            "%s stopped while it was being set.".formatted(guest.name()),
            "Start it: settings are those of a running guest.");
      }
    }
  }

  /** Remarks on the peculiarities of a libvirt host, and on disturbances of its guests. */
  private static final class HostRemarks {
    private static final String STAT = "/proc/stat";
    private static final String UPTIME = "/proc/uptime";

    /** The unit of {@code /proc/stat}, the same for every architecture that runs KVM. */
    private static final double TICKS_PER_SECOND = 100;

    /** The fields for idle time, in the line of all CPUs: idle and waiting for disks. */
    private static final List<Integer> NO_WORK = List.of(4, 5);

    /** Guest time is a part of user time. */
    private static final int LAST_STATE = 8;

    /** In pCPUs; the check itself needs some. */
    private static final double MUCH = 0.25;

    private final RemoteShell shell;
    private final LibvirtInventory inventory;
    private final LibvirtReadings readings;
    private final KernelFiles files;

    HostRemarks(RemoteShell shell, LibvirtInventory inventory, LibvirtReadings readings) {
      this.shell = shell;
      this.inventory = inventory;
      this.readings = readings;
      this.files = new KernelFiles(shell);
    }

    List<Remark> all() {
      List<Remark> remarks = new ArrayList<>();
      CgroupVersion version = inventory.cgroups();
      remarks.add(new Remark("cgroups", version + ": " + version.sharesText(), ""));
      Remark otherWork = otherWork();
      String off =
          inventory.listed().stream()
              .filter(guest -> !guest.isOn())
              .map(Guest::name)
              .collect(Collectors.joining(", "));
      if (!off.isEmpty()) {
        remarks.add(new Remark("guests", "shut off, so without settings: " + off, ""));
      }
      remarks.add(otherWork);
      return List.copyOf(remarks);
    }

    /** CPU time used up to one moment. */
    private record Moment(
        double seconds, double busySeconds, double guestSeconds, List<RunningGuest> guests) {
      /** Returns the pCPUs that processes other than guests used since an earlier moment. */
      double othersSince(Moment earlier) {
        double others = busySeconds - earlier.busySeconds - (guestSeconds - earlier.guestSeconds);
        return Math.max(0, others) / (seconds - earlier.seconds);
      }
    }

    private Remark otherWork() {
      Moment first = moment();
      shell.run(Command.reading("sleep", "1"));
      Moment last = moment();
      double others = last.othersSince(first);
      String weight = readings.pool(last.guests()).parameters();
      String sentence =
          Phrase.of(
              "work beside the guests uses %.2f pCPUs%s",
              others,
              weight.isEmpty() ? "" : "; all guests together weigh as one group with " + weight);
      return new Remark(
          "other work",
          sentence,
          others > MUCH
              ? "end that work, or give the group of the guests more shares: a cap or a weight"
                  + " decides little while others take the CPU"
              : "");
    }

    private Moment moment() {
      List<RunningGuest> running = inventory.running();
      double guests =
          running.stream()
              .mapToDouble(one -> one.domain().cpuSeconds())
              .filter(Double::isFinite)
              .sum();
      Map<String, String> read = files.read(List.of(UPTIME, STAT));
      return new Moment(
          Double.parseDouble(read.getOrDefault(UPTIME, "0").split(" ", -1)[0]),
          busy(read.getOrDefault(STAT, "")),
          guests,
          running);
    }

    private static double busy(String stat) {
      return stat.lines()
              .filter(line -> line.startsWith("cpu "))
              .map(line -> line.strip().split(" +"))
              .flatMapToLong(HostRemarks::work)
              .sum()
          / TICKS_PER_SECOND;
    }

    private static LongStream work(String[] fields) {
      return Stream.iterate(1, i -> i <= LAST_STATE && i < fields.length, i -> i + 1)
          .filter(i -> !NO_WORK.contains(i))
          .mapToLong(i -> Long.parseLong(fields[i]));
    }
  }
}
