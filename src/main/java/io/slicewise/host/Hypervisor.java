package io.slicewise.host;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The hypervisor of one host, independent of its tools: the interface for sweeps, plans and
 * reports. {@link Hypervisors#probe} finds it.
 *
 * <p>Methods throw {@link HypervisorException} if a tool fails or its output cannot be understood,
 * and {@link io.slicewise.ssh.RemoteShellException} if the host cannot be reached.
 */
public interface Hypervisor {
  /** The kind of this hypervisor. */
  HypervisorKind kind();

  /** The current description of the host: version, schedulers, pools. Read at each call. */
  HostDescription describe();

  /** The numbers of the host's pCPUs that are online, which may have gaps. Read at each call. */
  default BitSet pcpus() {
    return Pinning.first(describe().pcpus());
  }

  /** All running domains, the control domain first. */
  List<Domain> domains();

  /**
   * The current settings of every running domain, for the scheduler of its pool, and of pools that
   * have some as a whole. Domains with a scheduler without parameters are omitted.
   */
  List<Setting> settings();

  /**
   * The commands that {@link #apply(List)} would send, in order, given the current settings; for
   * {@code plan}. Empty if nothing differs.
   *
   * @throws HypervisorException if the tool cannot express the wanted settings
   */
  List<Command> commandsFor(Target target, SchedulerParameters current, SchedulerParameters wanted);

  /** Sets the parameters of several targets, whatever they have; see {@link #apply(List, Map)}. */
  default List<Applied> apply(List<Setting> wanted) {
    return apply(wanted, Map.of());
  }

  /**
   * Sets the parameters of several targets, reads all of them back and returns the readings, in the
   * given order. Everything is checked before anything is sent. The caller judges differences; see
   * {@link Applied#matches}.
   *
   * <p>Only if the targets still have the expected parameters by the last reading before the first
   * change. Whoever sets a value between that reading and the change is overwritten, where a
   * toolstack cannot compare and set at once.
   *
   * @param expected by the targets' names; any others may have changed
   * @throws SlicewiseException with {@code CHANGED_BY_OTHERS}, before anything is sent
   */
  List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected);

  /**
   * Sets parameters as {@link #apply(List, Map)} does, by the commands of {@link #commandsFor}
   * between two readings.
   *
   * @param send sends a command
   * @param missing the error about a target of that name without settings
   */
  default List<Applied> applyBetweenReadings(
      List<Setting> wanted,
      Map<String, SchedulerParameters> expected,
      Consumer<Command> send,
      Function<String, HypervisorException> missing) {
    Map<String, SchedulerParameters> before = Setting.byName(settings());
    List<Command> commands = new ArrayList<>();
    for (Setting one : wanted) {
      String name = one.target().name();
      SchedulerParameters current = read(before, name, missing);
      requireUnchanged(one.target(), Optional.ofNullable(expected.get(name)), current);
      commands.addAll(commandsFor(one.target(), current, one.parameters()));
    }
    commands.forEach(send);
    Map<String, SchedulerParameters> after = Setting.byName(settings());
    return wanted.stream()
        .map(
            one -> {
              SchedulerParameters read = read(after, one.target().name(), missing);
              return new Applied(
                  one.target(), one.parameters(), read, shows(one.parameters(), read));
            })
        .toList();
  }

  private static SchedulerParameters read(
      Map<String, SchedulerParameters> settings,
      String name,
      Function<String, HypervisorException> missing) {
    return Optional.ofNullable(settings.get(name)).orElseThrow(() -> missing.apply(name));
  }

  /** Refuses to change a target that no longer has the parameters read before. */
  default void requireUnchanged(
      Target target, Optional<SchedulerParameters> expected, SchedulerParameters read) {
    if (expected.filter(before -> !shows(before, read)).isPresent()) {
      throw new SlicewiseException(
          ErrorKind.CHANGED_BY_OTHERS,
          "%s has %s, set by someone else a moment ago: it had %s; it is left as it is"
              .formatted(target.name(), ParametersText.of(read), ParametersText.of(expected.get())),
          "agree with whoever set it");
    }
  }

  /** Sets one target's parameters; see {@link #apply(List)}. */
  default Applied apply(Target target, SchedulerParameters wanted) {
    return apply(List.of(new Setting(target, wanted))).get(0);
  }

  /** The guest of each running domain, by name. */
  default Map<String, GuestId> guests() {
    Map<String, GuestId> guests = new LinkedHashMap<>();
    domains().forEach(domain -> guests.put(domain.name(), new GuestId("", domain.id(), "")));
    return guests;
  }

  /** The current state that must not change during a measurement. */
  default HostState state() {
    return HostState.of(describe(), domains(), guests());
  }

  /** Returns whether this version has a scheduler and its settings. */
  default boolean has(Scheduler scheduler) {
    return scheduler.hypervisor().equals(kind().product())
        || settings().stream().anyMatch(one -> one.parameters().scheduler() == scheduler);
  }

  /** Returns whether running domains can be switched from one setting to another. */
  default boolean switchesLive(SchedulerParameters from, SchedulerParameters to) {
    return from.scheduler() == to.scheduler();
  }

  /** Returns instructions to activate another scheduler for the guests. */
  default String activation(Scheduler scheduler) {
    return "use a host of %s: a host of %s does not have the %s scheduler"
        .formatted(scheduler.hypervisor(), kind().product(), scheduler.xenName());
  }

  /**
   * Returns whether a reading is this host's presentation of a setting: {@code xm} prints sEDF's
   * times in steps of 0.1 ms, and a period and slice are meaningless with a weight.
   */
  default boolean shows(SchedulerParameters set, SchedulerParameters read) {
    return set.equals(read);
  }

  /**
   * Returns why these parameters could not be restored: {@code xm} prints a slice of 20 µs as 0.0
   * ms. Empty if they could.
   */
  default Optional<String> unrestorable(SchedulerParameters shown) {
    return Optional.empty();
  }

  /**
   * Returns why this host can never accept these settings, as a sentence; empty if it can, possibly
   * after a reboot into another scheduler.
   */
  default Optional<String> refusal(String domain, SchedulerParameters wanted) {
    String owner = wanted.scheduler().hypervisor();
    return owner.equals(kind().product()) || has(wanted.scheduler())
        ? Optional.empty()
        : Optional.of(
            "%s for %s are settings of the %s scheduler of %s, and this is a host of %s"
                .formatted(
                    ParametersText.of(wanted),
                    domain,
                    wanted.scheduler().xenName(),
                    owner,
                    kind().product()));
  }

  /**
   * Returns how the host can restore by itself what a run changes of a target; empty if that cannot
   * be expressed for its scheduler and toolstack.
   */
  default Optional<Undo> undo(Target target, Undo.Change change) {
    return Optional.empty();
  }

  /**
   * Returns this host as what its platform keeps for the next start of each guest: settings,
   * commands and read-back are of that, and outlive a guest's life.
   *
   * @throws HypervisorException if this platform keeps none
   */
  default Hypervisor durable() {
    throw new HypervisorException(
        "A host of %s keeps no settings for the next start of its guests."
            .formatted(kind().product()),
        "Set them after each start: slicewise apply without --durable.");
  }

  /** Returns whether what is kept for the next start is set for the guests that run, too. */
  default boolean setsWhatRuns() {
    return false;
  }

  /** Returns whether settings are kept in files that people edit, too. */
  default boolean writesFiles() {
    return false;
  }

  /**
   * Returns why settings that the platform keeps for a guest cannot be restored while it is not
   * among the domains; empty if nothing is kept for one that is not.
   *
   * @param guest as it was journalled; null if it was not
   */
  default Optional<String> keptFor(GuestId guest) {
    return Optional.empty();
  }

  /** Returns why no running domain has that name. */
  default String whyMissing(String name) {
    return "does not run on the host";
  }

  /** Returns why a running domain is not among those with settings. */
  default String whyWithoutSettings(String name) {
    return "has no settings that could be read";
  }

  /** Returns how a parameter of a setting is set, for the list of knobs. */
  default Knob.Handle handle(Setting setting, Parameter<?> parameter) {
    return new Knob.Handle(kind().product(), "guest restart");
  }

  /** Returns the values that a parameter of a setting can have on this host, for people. */
  default String range(Setting setting, Parameter<?> parameter, String pcpus) {
    return parameter
        .kind()
        .range(pcpus, setting.target() instanceof Domain domain ? domain.vcpus() : 1);
  }

  /** Returns what can be set on the host beyond its targets' parameters. */
  default List<Knob> ownKnobs() {
    return List.of();
  }

  /** Returns what a user should know about this host before a run; may take a second. */
  default List<Remark> remarks() {
    return List.of();
  }

  /**
   * Information about a host for its user.
   *
   * @param subject the topic in one or two words
   * @param wayOut what to do; empty if nothing is wrong
   */
  record Remark(String subject, String sentence, String wayOut) {}

  /** A target and its parameters. */
  record Setting(Target target, SchedulerParameters parameters) {
    /**
     * Returns the parameters by the name of their target; the first counts if a name occurs several
     * times.
     */
    public static Map<String, SchedulerParameters> byName(Collection<Setting> settings) {
      Map<String, SchedulerParameters> byName = new LinkedHashMap<>();
      settings.forEach(one -> byName.putIfAbsent(one.target().name(), one.parameters()));
      return byName;
    }
  }

  /**
   * A requested setting and its reading.
   *
   * @param matches whether the reading is the host's presentation of the setting; see {@link
   *     #shows}
   */
  record Applied(
      Target target, SchedulerParameters asked, SchedulerParameters read, boolean matches) {}
}
