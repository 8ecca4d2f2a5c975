package io.slicewise.host.xen;

import io.slicewise.host.CpuPool;
import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
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
    for (Scheduler scheduler : inventory.schedulersOf(domains, pools)) {
      Map<Integer, Entry> byId = new LinkedHashMap<>();
      entries(scheduler).forEach(entry -> byId.put(entry.id(), entry));
      domains.stream()
          .filter(domain -> byId.containsKey(domain.id()))
          .forEach(
              domain ->
                  byId.get(domain.id())
                      .parameters()
                      .ifPresent(parameters -> settings.add(new Setting(domain, parameters))));
    }
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
      Domain domain, SchedulerParameters current, SchedulerParameters wanted) {
    return words(domain, current, wanted).stream().map(tool::changing).toList();
  }

  private List<List<String>> words(
      Domain domain, SchedulerParameters current, SchedulerParameters wanted) {
    if (wanted.equals(current)) {
      return List.of();
    }
    SettingRanges.check(domain, wanted);
    return dialect.set(domain, Integer.toString(domain.id()), wanted);
  }

  @Override
  public Optional<Undo> undo(Domain domain, Undo.Change change) {
    return new XlUndo(tool, dialect).of(domain, change);
  }

  @Override
  public List<Applied> apply(List<Setting> wanted) {
    Map<Scheduler, List<Entry>> before = listings(wanted);
    List<Setting> located = new ArrayList<>();
    List<List<String>> commands = new ArrayList<>();
    for (Setting setting : wanted) {
      Scheduler scheduler = setting.parameters().scheduler();
      Entry entry = entry(before.get(scheduler), setting.domain(), scheduler);
      Domain domain = inventory.located(setting, entry, before.get(scheduler));
      located.add(new Setting(domain, setting.parameters()));
      commands.addAll(words(domain, parameters(entry), setting.parameters()));
    }
    commands.forEach(tool::change);
    return readBack(located, commands.isEmpty() ? before : listings(wanted));
  }

  private List<Applied> readBack(List<Setting> asked, Map<Scheduler, List<Entry>> after) {
    List<Applied> applied = new ArrayList<>();
    for (Setting setting : asked) {
      Scheduler scheduler = setting.parameters().scheduler();
      Entry entry = entry(after.get(scheduler), setting.domain(), scheduler);
      if (entry.id() != setting.domain().id()) {
        throw new HypervisorException(
            "%s restarted while its settings were changed: its domid was %s and is %s now."
                .formatted(setting.domain().name(), setting.domain().id(), entry.id()),
            "Set it again.");
      }
      SchedulerParameters read = parameters(entry);
      applied.add(
          new Applied(
              setting.domain(), setting.parameters(), read, shows(setting.parameters(), read)));
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
    String command = tool.named(dialect.listParameters(scheduler));
    return listing(scheduler)
        .map(text -> ParameterListing.parse(command, scheduler, text))
        .orElse(List.of());
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

  private Entry entry(List<Entry> entries, Domain domain, Scheduler scheduler) {
    List<Entry> found = entries.stream().filter(e -> e.name().equals(domain.name())).toList();
    if (found.size() > 1) {
      throw new HypervisorException(
          "Several domains on " + tool.shell().address() + " are called " + domain.name() + ".",
          "Rename all but one.");
    }
    if (found.isEmpty()) {
      throw inventory.missing(domain.name(), scheduler);
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
