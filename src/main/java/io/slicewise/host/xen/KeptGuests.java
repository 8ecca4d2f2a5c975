package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.Target;
import io.slicewise.host.xen.KeptGuests.Kept;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The weight and cap with which a Xen host's guests start, running or not: what their configuration
 * files contain, or the {@code VCPUs-params} of XCP-ng's machines. Neither changes a guest that
 * runs.
 */
final class KeptGuests implements Hypervisor {
  /** Where weights and caps are kept. */
  interface Keeper {
    /** Reads all guests that are defined. */
    Map<String, Kept> read();

    /** Returns the script that turns these values of a guest into others. */
    String script(Kept guest, Map<String, Integer> current, Map<String, Integer> wanted);

    /** Whether it is files that people edit, too. */
    boolean inFiles();
  }

  /**
   * What is kept of a guest.
   *
   * @param identity unique on the host
   * @param values weight and cap by {@link #WEIGHT} and {@link #CAP}; one that is not configured is
   *     absent
   * @param unclear why they cannot be read; empty if they can
   */
  record Kept(String identity, Map<String, Integer> values, Optional<String> unclear) {
    /** Targets are compared by number, and a guest that is off has none. */
    int number() {
      return Math.max(1, identity.hashCode() & Integer.MAX_VALUE);
    }
  }

  static final String WEIGHT = "weight";
  static final String CAP = "cap";

  /** What a guest starts with if nothing is configured. */
  static final Map<String, Integer> DEFAULTS = Map.of(WEIGHT, 256, CAP, 0);

  private final HostToolstack host;
  private final RemoteShell shell;
  private final boolean sudo;
  private final Keeper keeper;
  private final HostDescription description;
  private final Scheduler scheduler;

  KeptGuests(HostToolstack host, Tool tool, Keeper keeper) {
    this.host = host;
    this.shell = tool.shell();
    this.sudo = tool.prefix().contains("sudo");
    this.keeper = keeper;
    this.description = host.describe();
    this.scheduler =
        Stream.of(Scheduler.CREDIT, Scheduler.CREDIT2)
            .filter(one -> one.xenName().equals(description.bootScheduler()))
            .findFirst()
            .orElseThrow(
                () ->
                    new HypervisorException(
                        "Xen keeps weight and cap alone, and this host's scheduler is %s."
                            .formatted(description.bootScheduler()),
                        "Set them after each start: slicewise apply without --durable."));
  }

  @Override
  public HypervisorKind kind() {
    return host.kind();
  }

  @Override
  public HostDescription describe() {
    return description;
  }

  @Override
  public boolean writesFiles() {
    return keeper.inFiles();
  }

  @Override
  public boolean has(Scheduler wanted) {
    return wanted == scheduler;
  }

  @Override
  public List<Domain> domains() {
    return keeper.read().entrySet().stream()
        .map(one -> domain(one.getKey(), one.getValue()))
        .toList();
  }

  private Domain domain(String name, Kept kept) {
    return new Domain(name, kept.number(), 1, 0, description.cpupools().get(0).name());
  }

  @Override
  public Map<String, GuestId> guests() {
    Map<String, GuestId> guests = new LinkedHashMap<>();
    keeper
        .read()
        .forEach((name, kept) -> guests.put(name, new GuestId(kept.identity(), kept.number(), "")));
    return guests;
  }

  @Override
  public List<Setting> settings() {
    return settings(keeper.read());
  }

  private List<Setting> settings(Map<String, Kept> read) {
    return read.entrySet().stream()
        .filter(one -> one.getValue().unclear().isEmpty())
        .map(one -> new Setting(domain(one.getKey(), one.getValue()), parameters(one.getValue())))
        .toList();
  }

  private SchedulerParameters parameters(Kept kept) {
    SchedulerParameters parameters = SchedulerParameters.defaults(scheduler);
    for (Map.Entry<String, Integer> one : kept.values().entrySet()) {
      parameters = parameters.with(parameter(one.getKey()), one.getValue());
    }
    return parameters;
  }

  private Parameter<Integer> parameter(String key) {
    return key.equals(WEIGHT) ? Credit.WEIGHT : Credit.CAP;
  }

  @Override
  public List<Command> commandsFor(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    Map<String, Integer> before = new LinkedHashMap<>();
    Map<String, Integer> values = new LinkedHashMap<>();
    for (String key : List.of(WEIGHT, CAP)) {
      if (!current.get(parameter(key)).equals(wanted.get(parameter(key)))) {
        before.put(key, current.get(parameter(key)));
        values.put(key, wanted.get(parameter(key)));
      }
    }
    if (values.isEmpty()) {
      return List.of();
    }
    Kept kept = keeper.read().get(target.name());
    if (kept == null) {
      throw new HypervisorException(
          "%s %s on %s.".formatted(target.name(), whyMissing(target.name()), shell.address()), "");
    }
    return List.of(
        Command.changing("sh", "-c", keeper.script(kept, before, values)).throughSudo(sudo));
  }

  @Override
  public List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected) {
    return applyBetweenReadings(wanted, expected, this::send, this::missing);
  }

  private void send(Command command) {
    CommandResult result = shell.run(command);
    if (!result.succeeded()) {
      throw new HypervisorException(
          "%s did not take '%s': %s. Now %s."
              .formatted(
                  shell.address(),
                  command.quoted(),
                  result.standardError().strip(),
                  settings().stream()
                      .map(one -> one.target().name() + " " + ParametersText.of(one.parameters()))
                      .toList()),
          "Check that the login may write there, and that nobody else does.");
    }
  }

  private HypervisorException missing(String name) {
    return new HypervisorException("%s %s.".formatted(name, whyWithoutSettings(name)), "");
  }

  @Override
  public String whyMissing(String name) {
    return keeper.inFiles()
        ? "has no configuration file among " + ConfigFiles.PLACES
        : "is none of the pool's machines";
  }

  @Override
  public String whyWithoutSettings(String name) {
    return Optional.ofNullable(keeper.read().get(name))
        .flatMap(Kept::unclear)
        .orElseGet(() -> whyMissing(name));
  }
}
