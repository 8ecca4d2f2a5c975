package io.slicewise.host.xen;

import io.slicewise.host.CpuPool;
import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.host.xen.ParameterListing.Entry;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A host's toolstack, in any dialect.
 *
 * <p>One listing shows the values of all domains, so a setting needs a listing, a command for each
 * domain that differs, and another listing. The first listing gives the ids for the commands; the
 * second verifies that they still belong to the names.
 */
final class HostToolstack implements Hypervisor {
  private static final String WRONG_SCHEDULER_IN_XM = "Xen is running with the ";

  private final Xen kind;
  private final Tool tool;
  private final Dialect dialect;
  private final Inventory inventory;
  private final Readings readings;

  HostToolstack(Xen kind, Tool tool, Dialect dialect) {
    this.kind = kind;
    this.tool = tool;
    this.dialect = dialect;
    this.inventory = new Inventory(tool, dialect, this::entries);
    this.readings = new Readings(dialect);
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
      String text = listing(scheduler).orElse("");
      Map<Integer, Entry> byId = new LinkedHashMap<>();
      entries(scheduler, text).forEach(entry -> byId.put(entry.id(), entry));
      domains.stream()
          .filter(domain -> byId.containsKey(domain.id()))
          .forEach(
              domain ->
                  byId.get(domain.id())
                      .parameters()
                      .ifPresent(parameters -> settings.add(new Setting(domain, parameters))));
      PoolListing.parse(scheduler, text)
          .forEach((pool, read) -> ofPools.add(new Setting(new Target.Pool(pool), read)));
    }
    settings.addAll(ofPools);
    return List.copyOf(settings);
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
    return "runs in a cpupool whose scheduler has no settings";
  }

  @Override
  public Optional<String> unrestorable(SchedulerParameters shown) {
    return readings.hidden(shown);
  }

  @Override
  public List<Command> commandsFor(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    return words(target, current, wanted).stream().map(tool::changing).toList();
  }

  private List<List<String>> words(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    if (wanted.equals(current)) {
      return List.of();
    }
    if (target instanceof Domain domain) {
      SettingRanges.check(domain, wanted);
      return dialect.set(domain, Integer.toString(domain.id()), wanted);
    }
    SettingRanges.check(target, wanted);
    return List.of(dialect.setPool((Target.Pool) target, wanted));
  }

  @Override
  public Optional<Undo> undo(Target target, Undo.Change change) {
    return new XlUndo(tool, dialect).of(target, change);
  }

  @Override
  public List<Applied> apply(List<Setting> wanted) {
    List<Setting> ofPools =
        wanted.stream().filter(setting -> setting.target() instanceof Target.Pool).toList();
    List<Setting> ofDomains =
        wanted.stream().filter(setting -> setting.target() instanceof Domain).toList();
    Map<Scheduler, List<Entry>> before = listings(ofDomains);
    List<Setting> located = new ArrayList<>();
    List<List<String>> commands = new ArrayList<>();
    for (Setting setting : ofDomains) {
      Scheduler scheduler = setting.parameters().scheduler();
      Entry entry = entry(before.get(scheduler), setting.target().name(), scheduler);
      Domain domain = inventory.located(setting, entry, before.get(scheduler));
      located.add(new Setting(domain, setting.parameters()));
      commands.addAll(words(domain, parameters(entry), setting.parameters()));
    }
    boolean same = commands.isEmpty();
    Map<String, SchedulerParameters> pools = ofPools.isEmpty() ? Map.of() : poolSettings();
    for (Setting setting : ofPools) {
      commands.addAll(
          words(setting.target(), poolIn(pools, setting.target()), setting.parameters()));
    }
    commands.forEach(tool::change);
    Map<String, Applied> applied = new LinkedHashMap<>();
    readBack(located, same ? before : listings(ofDomains))
        .forEach(read -> applied.put(read.target().name(), read));
    readPools(ofPools).forEach(read -> applied.put(read.target().name(), read));
    return wanted.stream().map(setting -> applied.get(setting.target().name())).toList();
  }

  private List<Applied> readPools(List<Setting> asked) {
    Map<String, SchedulerParameters> pools = asked.isEmpty() ? Map.of() : poolSettings();
    return asked.stream()
        .map(
            setting -> {
              SchedulerParameters read = poolIn(pools, setting.target());
              return new Applied(
                  setting.target(), setting.parameters(), read, shows(setting.parameters(), read));
            })
        .toList();
  }

  private Map<String, SchedulerParameters> poolSettings() {
    Map<String, SchedulerParameters> pools = new LinkedHashMap<>();
    settings().stream()
        .filter(setting -> setting.target() instanceof Target.Pool)
        .forEach(setting -> pools.put(setting.target().name(), setting.parameters()));
    return pools;
  }

  private SchedulerParameters poolIn(Map<String, SchedulerParameters> pools, Target target) {
    return Optional.ofNullable(pools.get(target.name()))
        .orElseThrow(
            () ->
                new HypervisorException(target.name() + " " + whyMissing(target.name()) + ".", ""));
  }

  @Override
  public String whyMissing(String name) {
    return Target.Pool.isCalled(name) ? describe().noSuchPool() : Hypervisor.super.whyMissing(name);
  }

  private List<Applied> readBack(List<Setting> asked, Map<Scheduler, List<Entry>> after) {
    List<Applied> applied = new ArrayList<>();
    for (Setting setting : asked) {
      Scheduler scheduler = setting.parameters().scheduler();
      Domain domain = (Domain) setting.target();
      Entry entry = entry(after.get(scheduler), domain.name(), scheduler);
      if (entry.id() != domain.id()) {
        throw new HypervisorException(
            "%s restarted while its settings were changed: its domid was %s and is %s now."
                .formatted(domain.name(), domain.id(), entry.id()),
            "Set it again.");
      }
      SchedulerParameters read = parameters(entry);
      applied.add(
          new Applied(domain, setting.parameters(), read, shows(setting.parameters(), read)));
    }
    return List.copyOf(applied);
  }

  private Map<Scheduler, List<Entry>> listings(List<Setting> wanted) {
    Map<Scheduler, List<Entry>> listings = new LinkedHashMap<>();
    wanted.forEach(
        setting -> listings.computeIfAbsent(setting.parameters().scheduler(), this::entries));
    return listings;
  }

  @Override
  public boolean shows(SchedulerParameters set, SchedulerParameters read) {
    return readings.show(set, read);
  }

  /** Returns all domains under that scheduler; none if no cpupool runs it. */
  private List<Entry> entries(Scheduler scheduler) {
    return listing(scheduler).map(text -> entries(scheduler, text)).orElse(List.of());
  }

  private List<Entry> entries(Scheduler scheduler, String text) {
    return ParameterListing.parse(tool.named(dialect.listParameters(scheduler)), scheduler, text);
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

  private Entry entry(List<Entry> entries, String name, Scheduler scheduler) {
    List<Entry> found = entries.stream().filter(e -> e.name().equals(name)).toList();
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
}
