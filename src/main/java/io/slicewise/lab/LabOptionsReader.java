package io.slicewise.lab;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlDocument;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.lab.LabOptions.Hardware;
import io.slicewise.lab.LabOptions.Ports;
import io.slicewise.lab.LabOptions.Site;
import io.slicewise.lab.LabOptions.Software;
import io.slicewise.lab.disk.SharedDisk.DiskSpec;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.lab.fault.LabFault.Moment;
import io.slicewise.lab.guest.GuestHost.GuestCosts;
import io.slicewise.lab.guest.Scene.Visits;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.lab.sim.Demands;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Schedulers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the {@code lab:} map of an experiment file. */
final class LabOptionsReader {
  private static final String NAME = "lab";
  private static final String HINT = "docs/lab.md lists the keys of 'lab'";
  private static final OptionKind CPUS = new OptionKind.Whole(1, 64);

  private static final List<Option> GUEST =
      List.of(
          Option.needed("name", new OptionKind.Text(), "the domain's name"),
          Option.withDefault("vcpus", CPUS, 1, "its vCPUs"),
          Option.optional(
              "max-vcpus", CPUS, "libvirt: vCPUs that it can have; default: as many as vcpus"),
          Option.withDefault(
              "iothreads", new OptionKind.Whole(0, 16), 0, "libvirt: its threads for disks"),
          Option.withDefault("memory", new OptionKind.Whole(1, 1 << 20), 512, "its memory in MiB"),
          Option.withDefault(
              "burns", new OptionKind.Flag(), false, "whether its vCPUs compute endlessly"),
          Option.withDefault(
              "off", new OptionKind.Flag(), false, "libvirt: whether it is only defined"));

  private static final List<Option> DISK =
      List.of(
          Option.withDefault(
              "seek", Quantity.Time.from(Duration.ZERO), "2ms", "the mean time before a transfer"),
          Option.withDefault("rate", new OptionKind.Positive(), 60, "MB per second"),
          Option.withDefault(
              "working-set",
              new OptionKind.Positive(),
              1.25,
              "size of a guest's database, in memories of the guest"),
          Option.withDefault(
              "read-ahead",
              new OptionKind.Whole(1, 64),
              1,
              "how many times as much Domain-0 reads"),
          Option.withDefault(
              "merged", new OptionKind.Whole(0, 99), 0, "percentage of requests that it merges"));

  private static final List<Option> VISITS =
      List.of(
          Option.needed("rate", new OptionKind.Positive(), "visitors per second, on average"),
          Option.needed("time", Quantity.Time.from(Duration.ofSeconds(1)), "for how long"));

  private static final List<Option> OVERHEAD =
      List.of(
          Option.withDefault(
              "cpu", new OptionKind.Whole(0, 1000), 0, "percentage of more CPU time"),
          Option.withDefault(
              "fault",
              Quantity.Time.from(Duration.ZERO),
              DurationText.of(GuestCosts.BARE.fault()),
              "CPU time of a page fault"));

  static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              "hypervisor",
              new OptionKind.Word(List.of("xen", "libvirt", "none")),
              "the hypervisor; default: that of the version. none: the bare machine, with the CPUs"
                  + " and the memory of its guests"),
          Option.optional(
              "version",
              new Version(),
              "the toolstack and its version; default: xl-4.17, or virsh-9.0 of libvirt"),
          Option.withDefault(
              "cgroup",
              new OptionKind.Word(List.of("v1", "v2")),
              "v1",
              "libvirt: the version of control groups"),
          Option.optional(
              "scheduler",
              new OptionKind.Word(List.copyOf(Schedulers.KNOWN.ofXen().keySet())),
              "the scheduler of Pool-0; default: the version's own"),
          Option.withDefault(
              "every-scheduler",
              new OptionKind.Flag(),
              false,
              "whether Xen was built with every scheduler of its version, as rtds and null of 4.17"),
          Option.withDefault(
              "pcpus", CPUS, LabOptions.defaults().hardware().pcpus(), "pCPUs of the host"),
          Option.optional("dom0-vcpus", CPUS, "vCPUs of Domain-0; default: as many as pcpus"),
          Option.optional(
              "guests",
              new OptionKind.Many(new OptionKind.Group(GUEST), 1, 1000),
              "the guests; default: those of the workload"),
          Option.withDefault(
              "seed",
              new OptionKind.Whole(0, Integer.MAX_VALUE),
              LabOptions.defaults().seed(),
              "the seed of the lab's random numbers"),
          Option.optional(
              "faults",
              new OptionKind.Many(new OptionKind.Group(FaultReader.OPTIONS), 0, 1000),
              "faults to inject"),
          Option.withDefault(
              "xenmon",
              new OptionKind.Flag(),
              LabOptions.defaults().software().xenmon(),
              "whether the host has xenmon"),
          Option.optional(
              "demand-factor", new OptionKind.Positive(), "scales the demands of all requests"),
          Option.withDefault(
              "start-scatter",
              new OptionKind.Whole(0, 50),
              0,
              "percentage by which the demands differ from one start of the load to another"),
          Option.optional(
              "disk",
              new OptionKind.Group(DISK),
              "the disk that guests share; default: all data are in memory"),
          Option.optional(
              "visitors",
              new OptionKind.Many(new OptionKind.Group(VISITS), 1, 1000),
              "traffic: the rates at which visitors come, one after the other, again and again;"
                  + " default: one that rises and falls within a minute"),
          Option.optional(
              "overhead",
              new OptionKind.Group(OVERHEAD),
              "what computing costs in a guest; default: as much as on the bare machine"));

  /** A toolstack and its version. */
  private record Version() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return OptionKind.ordered("type", "string", "pattern", "^(xm|xl|virsh)-[0-9]\\.[0-9]{1,2}$");
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.parsed(text -> LabToolstack.parse(text).toString());
    }
  }

  private LabOptionsReader() {}

  static LabOptions read(Map<String, Object> map, LabOptions defaults) {
    Faults faults = new Faults();
    YamlValue root = YamlDocument.of(NAME, map, faults);
    Options options = Option.read(OPTIONS, Optional.of(root), " of lab", Path.of(NAME));
    faults.throwIfAny(HINT);
    try {
      return options(options, defaults);
    } catch (IllegalArgumentException together) {
      throw SlicewiseException.input("lab: %s".formatted(together.getMessage()), HINT, together);
    }
  }

  private static LabOptions options(Options options, LabOptions defaults) {
    int pcpus = options.integer("pcpus");
    List<LabGuest> guests = options.groups("guests").stream().map(LabOptionsReader::guest).toList();
    return new LabOptions(
        new Software(
            LabToolstack.of(options.text("hypervisor"), options.text("version")),
            GroupVersion.of(options.text("cgroup").orElseThrow()),
            options.text("scheduler").flatMap(Scheduler::ofXenName),
            options.flag("every-scheduler"),
            options.flag("xenmon")),
        new Hardware(
            pcpus,
            options.has("dom0-vcpus") ? options.integer("dom0-vcpus") : pcpus,
            options.group("disk").map(LabOptionsReader::disk),
            options.group("overhead").map(LabOptionsReader::costs).orElse(GuestCosts.BARE)),
        guests.isEmpty() ? defaults.guests() : guests,
        site(options, defaults.site()),
        Ports.ANY,
        options.whole("seed"),
        options.groups("faults").stream().map(FaultReader::fault).toList(),
        Optional.empty());
  }

  private static Site site(Options options, Site defaults) {
    Demands demands = defaults.demands();
    return new Site(
        defaults.scene(),
        defaults.servers(),
        options.has("demand-factor") ? demands.scaled(options.number("demand-factor")) : demands,
        options.integer("start-scatter") / 100.0,
        options.groups("visitors").stream()
            .map(one -> new Visits(one.number("rate"), one.time("time")))
            .toList());
  }

  private static GuestCosts costs(Options options) {
    return new GuestCosts(1 + options.integer("cpu") / 100.0, options.time("fault"));
  }

  private static DiskSpec disk(Options options) {
    return new DiskSpec(
        options.time("seek"),
        options.number("rate"),
        options.number("working-set"),
        options.integer("read-ahead"),
        options.integer("merged") / 100.0);
  }

  private static LabGuest guest(Options options) {
    int vcpus = options.integer("vcpus");
    return new LabGuest(
        options.text("name").orElseThrow(),
        vcpus,
        options.integer("memory"),
        options.flag("burns"),
        options.flag("off"),
        options.has("max-vcpus") ? options.integer("max-vcpus") : vcpus,
        options.integer("iothreads"));
  }

  /**
   * Reads the {@code lab: faults:} list of an experiment file: maps such as {@code {fault:
   * drop-connection, command: xl sched-credit, occurrence: 3, moment: after}}.
   */
  private static final class FaultReader {
    private static final OptionKind COUNT = new OptionKind.Whole(1, Integer.MAX_VALUE);

    /** The keys of one fault. */
    static final List<Option> OPTIONS =
        List.of(
            Option.needed(
                "fault",
                new OptionKind.Word(Arrays.stream(FaultKind.values()).map(FaultKind::key).toList()),
                "the kind of fault"),
            Option.optional(
                "command",
                new OptionKind.Text(),
                "the start of the affected commands' lines; default: any command"),
            Option.withDefault("occurrence", COUNT, 1, "the first affected command"),
            Option.withDefault("times", COUNT, 1, "the number of affected commands"),
            Option.withDefault(
                "moment",
                OptionKind.Word.of(Moment.values()),
                "before",
                "of drop-connection: before or after the command has run"),
            Option.withDefault(
                "delay",
                Quantity.Time.from(Duration.ZERO),
                "0s",
                "the delay after the command's start; for slow-network and late-probe, added to each;"
                    + " for clock-jump, the jump"),
            Option.optional(
                "guest",
                new OptionKind.Text(),
                "the domain that crashes, reboots, or whose counters are concerned"));

    private FaultReader() {}

    /** Reads one fault. */
    static LabFault fault(Options options) {
      return new LabFault(
          FaultKind.of(options.text("fault").orElseThrow()).orElseThrow(),
          options.text("command").orElse(""),
          options.integer("occurrence"),
          options.integer("times"),
          options.constant("moment", Moment.class),
          options.time("delay"),
          options.text("guest").orElse(""));
    }
  }
}
