package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.Knob;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.host.xen.ParameterListing.Entry;
import io.slicewise.host.xen.Tool.ToolRefusals;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Placement;
import io.slicewise.profile.PoolWide;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.Scope;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A host's toolstack, in any dialect.
 *
 * <p>One listing shows the values of all domains, so a setting needs a listing, a command for each
 * domain that differs, and another listing. The first listing gives the ids for the commands; the
 * second verifies that they still belong to the names.
 */
final class HostToolstack implements Hypervisor {
  private static final String WRONG_SCHEDULER_IN_XM = "Xen is running with the ";

  /** xl asks a guest to take vCPUs offline, and its kernel does so in its own time. */
  private static final int LOOKS = 60;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final Xen kind;
  private final Tool tool;
  private final Dialect dialect;
  private final StrangeRows strange = new StrangeRows();
  private final Inventory inventory;
  private final Readings readings;
  private final XlSplit split;

  HostToolstack(Xen kind, Tool tool, Dialect dialect) {
    this.kind = kind;
    this.tool = tool;
    this.dialect = dialect;
    this.inventory = new Inventory(tool, dialect, strange, this::entries);
    this.readings = new Readings(dialect, () -> inventory.pcpus().length());
    this.split = new XlSplit(tool, inventory);
  }

  @Override
  public HypervisorKind kind() {
    return kind;
  }

  @Override
  public boolean has(Scheduler scheduler) {
    return XenSchedulers.possible(dialect.version()).contains(scheduler);
  }

  /** Instructions to use another scheduler in a cpupool of its own, without a reboot. */
  static String withoutReboot(Scheduler scheduler) {
    return "without a reboot, if Xen has %1$s built in: xl cpupool-cpu-remove Pool-0 CPU; xl cpupool-create 'name=\"%1$s\"' 'sched=\"%1$s\"' 'cpus=[\"CPU\"]'; xl cpupool-migrate GUEST %1$s"
        .formatted(scheduler.xenName());
  }

  @Override
  public Hypervisor durable() {
    RemoteShell shell = tool.shell();
    boolean machines = shell.run(Command.reading("sh", "-c", "command -v xe")).succeeded();
    return new KeptGuests(
        this, tool, machines ? new MachineParameters(shell) : new ConfigFiles(shell, "/etc/xen"));
  }

  @Override
  public String activation(Scheduler scheduler) {
    return "boot the host with sched=%s, or %s"
        .formatted(scheduler.xenName(), withoutReboot(scheduler));
  }

  @Override
  public HostDescription describe() {
    return inventory.describe();
  }

  @Override
  public List<Domain> domains() {
    return inventory.domains();
  }

  @Override
  public List<Setting> settings() {
    List<CpuPool> pools = inventory.cpupools();
    List<Domain> domains = inventory.domains(pools);
    List<Setting> settings = new ArrayList<>();
    List<Setting> ofPools = new ArrayList<>();
    for (Scheduler scheduler : inventory.schedulersOf(domains, pools)) {
      Listed listed = listed(scheduler);
      Map<Integer, Entry> byId = new LinkedHashMap<>();
      listed.entries().forEach(entry -> byId.put(entry.id(), entry));
      domains.stream()
          .filter(domain -> byId.containsKey(domain.id()))
          .forEach(
              domain ->
                  byId.get(domain.id())
                      .parameters()
                      .ifPresent(parameters -> settings.add(new Setting(domain, parameters))));
      listed
          .pools()
          .forEach(
              (pool, read) -> ofPools.add(new Setting(new Target.Pool(pool, Scope.POOL), read)));
    }
    settings.addAll(ofPools);
    split
        .read(pools, domains)
        .forEach(
            (pool, read) -> settings.add(new Setting(new Target.Pool(pool, Scope.SPLIT), read)));
    Map<Integer, Entry> places = new LinkedHashMap<>();
    inventory.places().forEach(entry -> places.put(entry.id(), entry));
    domains.stream()
        .filter(domain -> places.containsKey(domain.id()))
        .forEach(
            domain ->
                settings.add(
                    new Setting(
                        new Target.Place(domain),
                        places.get(domain.id()).parameters().orElseThrow())));
    return List.copyOf(settings);
  }

  @Override
  public BitSet pcpus() {
    return inventory.pcpus();
  }

  @Override
  public Knob.Handle handle(Setting setting, Parameter<?> parameter) {
    Scope scope = setting.parameters().scheduler().scope();
    String command =
        switch (scope) {
          case PLACE -> parameter.equals(Placement.VCPUS) ? "vcpu-set" : "vcpu-pin";
          case SPLIT -> "cpupool-create";
          case POOL -> "sched-%s -s".formatted(scheduler(setting).xenName());
          default -> "sched-" + scheduler(setting).xenName();
        };
    return new Knob.Handle(
        dialect.name() + " " + command,
        setting.target() instanceof Target.Pool ? "host restart" : "guest restart");
  }

  @Override
  public String range(Setting setting, Parameter<?> parameter, String pcpus) {
    return setting.target() instanceof Target.Place place && parameter.equals(Placement.VCPUS)
        ? parameter
            .kind()
            .range(pcpus, inventory.vcpusOnOrOff(Integer.toString(place.domain().id())))
        : Hypervisor.super.range(setting, parameter, pcpus);
  }

  /** Returns the scheduler, which is chosen when Xen boots. */
  @Override
  public List<Knob> ownKnobs() {
    String possible =
        XenSchedulers.possible(dialect.version()).stream()
            .map(Scheduler::xenName)
            .collect(Collectors.joining(", "));
    return List.of(
        new Knob(
            "scheduler",
            "host",
            describe().bootScheduler(),
            possible,
            "host",
            "boot",
            "never",
            "sched= of Xen",
            ""));
  }

  @Override
  public Map<String, GuestId> guests() {
    return inventory.guests();
  }

  @Override
  public HostState state() {
    List<CpuPool> pools = inventory.cpupools();
    List<Domain> domains = inventory.domains(pools);
    Map<String, String> parameters = new LinkedHashMap<>();
    for (Scheduler scheduler : inventory.schedulersOf(domains, pools)) {
      listing(scheduler).map(SchedulerListing::pools).ifPresent(parameters::putAll);
    }
    return inventory.state(domains, pools, parameters);
  }

  @Override
  public String whyWithoutSettings(String name) {
    return strange.of(name).orElse("runs in a cpupool whose scheduler has no settings");
  }

  @Override
  public Optional<String> refusal(String target, SchedulerParameters wanted) {
    return Hypervisor.super
        .refusal(target, wanted)
        .or(() -> strange.of(target).map(reason -> target + " " + reason))
        .or(
            () ->
                switch (wanted.scheduler().scope()) {
                  case PLACE -> misplaced(target, wanted);
                  case SPLIT -> split.refusal(Target.Pool.called(target), wanted);
                  default -> Optional.empty();
                });
  }

  private Optional<String> misplaced(String target, SchedulerParameters wanted) {
    return dialect.setsPlaces()
        ? inventory.misplaced(Target.domainOf(target), wanted)
        : Optional.of(
            "%s cannot be set by %s of Xen %s: it needs xl of Xen 4.5 or later"
                .formatted(target, dialect.name(), dialect.version()));
  }

  @Override
  public Optional<String> unrestorable(SchedulerParameters shown) {
    return readings.hidden(shown);
  }

  @Override
  public List<Command> commandsFor(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    return words(inventory.counted(target, wanted), current, wanted).stream()
        .map(tool::changing)
        .toList();
  }

  private List<List<String>> words(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    if (wanted.equals(current)) {
      return List.of();
    }
    if (target instanceof Target.Place place) {
      SettingRanges.check(place.domain(), wanted);
      return shows(wanted, current)
          ? List.of()
          : dialect.setPlace(
              Integer.toString(place.domain().id()), readings.changed(current, wanted));
    }
    if (target instanceof Domain domain) {
      SettingRanges.check(domain, wanted);
      return dialect.set(domain, Integer.toString(domain.id()), wanted);
    }
    Target.Pool pool = (Target.Pool) target;
    if (pool.of() == Scope.SPLIT) {
      return shows(wanted, current) ? List.of() : split.commands(pool.pool(), current, wanted);
    }
    SettingRanges.check(pool, wanted);
    return List.of(dialect.setPool(pool, wanted));
  }

  @Override
  public Optional<Undo> undo(Target target, Undo.Change change) {
    return new XlUndo(tool, dialect, readings, split).of(target, change);
  }

  @Override
  public List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected) {
    Map<Scheduler, Listed> before = listings(wanted);
    List<Setting> located = new ArrayList<>();
    List<List<String>> commands = new ArrayList<>();
    for (Setting setting : wanted) {
      Setting its = located(setting, before);
      located.add(its);
      SchedulerParameters read = read(its, before);
      if (setting.target().isSame(its.target())) {
        requireUnchanged(
            its.target(), Optional.ofNullable(expected.get(its.target().name())), read);
      }
      commands.addAll(words(its.target(), read, its.parameters()));
    }
    commands.forEach(
        words -> XlSplit.explained(words, words == commands.get(0), () -> tool.change(words)));
    boolean slow = commands.stream().anyMatch(words -> words.get(0).equals(Xl.VCPU_SET));
    List<Applied> applied = readBack(located, commands.isEmpty() ? before : listings(wanted));
    for (int look = 1;
        slow && look < LOOKS && !applied.stream().allMatch(Applied::matches);
        look++) {
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      applied = readBack(located, listings(wanted));
    }
    return applied;
  }

  private Setting located(Setting setting, Map<Scheduler, Listed> listings) {
    if (setting.target() instanceof Target.Pool) {
      return setting;
    }
    Domain domain =
        inventory.located(
            setting, entry(setting, listings), listings.get(scheduler(setting)).entries());
    return new Setting(
        setting.target() instanceof Domain ? domain : new Target.Place(domain),
        setting.parameters());
  }

  @Override
  public String whyMissing(String name) {
    return Target.isPool(name)
        ? describe().noSuchPool()
        : strange.of(name).orElseGet(() -> Hypervisor.super.whyMissing(name));
  }

  private List<Applied> readBack(List<Setting> asked, Map<Scheduler, Listed> after) {
    List<Applied> applied = new ArrayList<>();
    for (Setting setting : asked) {
      if (setting.target() instanceof Domain domain) {
        requireSame(domain, entry(setting, after));
      } else if (setting.target() instanceof Target.Place place) {
        requireSame(place.domain(), entry(setting, after));
      }
      SchedulerParameters read = read(setting, after);
      applied.add(
          new Applied(
              setting.target(), setting.parameters(), read, shows(setting.parameters(), read)));
    }
    return List.copyOf(applied);
  }

  private static void requireSame(Domain domain, Entry entry) {
    if (entry.id() != domain.id()) {
      throw new HypervisorException(
          "%s restarted while its settings were changed: its domid was %s and is %s now."
              .formatted(domain.name(), domain.id(), entry.id()),
          "Set it again.");
    }
  }

  /**
   * What the listing of a scheduler shows.
   *
   * @param pools the parameters of whole cpupools, by name
   */
  private record Listed(List<Entry> entries, Map<String, SchedulerParameters> pools) {}

  private Map<Scheduler, Listed> listings(List<Setting> wanted) {
    Map<Scheduler, Listed> listings = new LinkedHashMap<>();
    wanted.forEach(setting -> listings.computeIfAbsent(scheduler(setting), this::listed));
    return listings;
  }

  /** Returns the scheduler whose listing shows a setting. */
  private static Scheduler scheduler(Setting setting) {
    Scheduler of = setting.parameters().scheduler();
    return of.scope() == Scope.POOL ? Schedulers.KNOWN.ofPools(of) : of;
  }

  private SchedulerParameters read(Setting setting, Map<Scheduler, Listed> listings) {
    return setting.target() instanceof Target.Pool pool
        ? Optional.ofNullable(listings.get(scheduler(setting)).pools().get(pool.pool()))
            .orElseThrow(
                () ->
                    new HypervisorException(pool.name() + " " + whyMissing(pool.name()) + ".", ""))
        : parameters(entry(setting, listings));
  }

  @Override
  public boolean shows(SchedulerParameters set, SchedulerParameters read) {
    return readings.show(set, read);
  }

  /** Returns all domains under that scheduler; none if no cpupool runs it. */
  private List<Entry> entries(Scheduler scheduler) {
    return listed(scheduler).entries();
  }

  private Listed listed(Scheduler scheduler) {
    if (scheduler.scope() == Scope.PLACE) {
      return new Listed(inventory.places(), Map.of());
    }
    if (scheduler.scope() == Scope.SPLIT) {
      List<CpuPool> pools = inventory.cpupools();
      return new Listed(List.of(), split.read(pools, inventory.domains(pools)));
    }
    String text = listing(scheduler).orElse("");
    ParameterListing.Listed listed = ParameterListing.parse(scheduler, text);
    strange.keep(
        tool.named(dialect.listParameters(scheduler)),
        listed.entries().stream().map(Entry::name).toList(),
        listed.strange());
    return new Listed(listed.entries(), PoolListing.parse(scheduler, text));
  }

  private Optional<String> listing(Scheduler scheduler) {
    CommandResult result = tool.tryRead(dialect.listParameters(scheduler));
    if (result.succeeded()) {
      return Optional.of(result.standardOutput());
    }
    if (result.standardError().contains(WRONG_SCHEDULER_IN_XM)) {
      return Optional.empty();
    }
    throw ToolRefusals.failed(tool.shell().address(), result);
  }

  private Entry entry(Setting setting, Map<Scheduler, Listed> listings) {
    String name = Target.domainOf(setting.target().name());
    Scheduler scheduler = scheduler(setting);
    List<Entry> found =
        listings.get(scheduler).entries().stream().filter(e -> e.name().equals(name)).toList();
    if (found.size() > 1) {
      throw new HypervisorException(
          "Several domains on " + tool.shell().address() + " are called " + name + ".",
          "Rename all but one.");
    }
    if (found.isEmpty()) {
      throw inventory.missing(name, scheduler);
    }
    return found.get(0);
  }

  private static SchedulerParameters parameters(Entry entry) {
    Optional<SchedulerParameters> parameters = entry.parameters();
    return parameters.orElseThrow(
        () ->
            new HypervisorException(
                entry.name() + " did not answer when its parameters were read.",
                "It may be shutting down; check it with the toolstack's list."));
  }

  /**
   * The parameters of whole cpupools in a scheduler's listing: {@code Cpupool Pool-0: tslice=30ms
   * ratelimit=1000us migration-delay=0us}. xl prints them from Xen 4.2 on for credit, from 4.8 on
   * for credit2; xm never does.
   */
  private static final class PoolListing {
    private static final Pattern CREDIT =
        Pattern.compile("tslice=(\\d+)ms ratelimit=(\\d+)us(?: migration-delay=(\\d+)us)?");

    private static final Pattern CREDIT2 = Pattern.compile("ratelimit=(\\d+)us");
    private static final long NANOS_A_MICRO = 1_000;

    private PoolListing() {}

    /** Returns the parameters of the pools by name; those without any are absent. */
    static Map<String, SchedulerParameters> parse(Scheduler scheduler, String text) {
      Map<String, SchedulerParameters> pools = new LinkedHashMap<>();
      if (scheduler.pool().isPresent()) {
        boolean credit = scheduler == Scheduler.CREDIT;
        SchedulerListing.pools(text)
            .forEach(
                (pool, printed) -> {
                  Matcher values = (credit ? CREDIT : CREDIT2).matcher(printed);
                  if (values.matches()) {
                    pools.put(
                        pool,
                        credit
                            ? PoolWide.credit(
                                    Duration.ofMillis(Long.parseLong(values.group(1))),
                                    micros(values.group(2)))
                                .with(PoolWide.MIGRATION_DELAY, micros(values.group(3)))
                            : PoolWide.credit2(micros(values.group(1))));
                  }
                });
      }
      return pools;
    }

    /** Returns a time in microseconds; zero if the version does not print it. */
    private static Duration micros(String text) {
      return text == null ? Duration.ZERO : Duration.ofNanos(Long.parseLong(text) * NANOS_A_MICRO);
    }
  }
}
