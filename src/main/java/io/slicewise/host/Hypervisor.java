package io.slicewise.host;

import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The hypervisor of one host, its tools and their quirks hidden: all that a sweep, a plan and a
 * report may know of it. {@link Hypervisors#probe} finds it.
 *
 * <p>Methods throw {@link HypervisorException} when a tool refuses or prints what cannot be
 * understood, and {@link io.slicewise.ssh.RemoteShellException} when the host cannot be reached.
 */
public interface Hypervisor {
  /** What holds for every host of its kind. */
  HypervisorKind kind();

  /** The host as it is now: version, schedulers, pools. Read afresh at each call. */
  HostDescription describe();

  /** All running domains, the control domain first. */
  List<Domain> domains();

  /**
   * What is set now for every running domain, under the scheduler of the pool it is in. Domains
   * under a scheduler without parameters are left out.
   */
  List<Setting> settings();

  /**
   * The commands {@link #apply(List)} would send, in order, given what is set now; for {@code
   * plan}. Empty if nothing differs.
   *
   * @throws HypervisorException if the tool cannot express what is wanted
   */
  List<Command> commandsFor(Domain domain, SchedulerParameters current, SchedulerParameters wanted);

  /**
   * Sets the parameters of several domains, reads all of them back and returns what was read, in
   * the order asked. Everything is checked before anything is sent. A difference is the caller's to
   * judge; see {@link Applied#matches}.
   */
  List<Applied> apply(List<Setting> wanted);

  /** Sets one domain's parameters; see {@link #apply(List)}. */
  default Applied apply(Domain domain, SchedulerParameters wanted) {
    return apply(List.of(new Setting(domain, wanted))).get(0);
  }

  /** Which guest each running domain is, by name. */
  default Map<String, GuestId> guests() {
    Map<String, GuestId> guests = new LinkedHashMap<>();
    domains().forEach(domain -> guests.put(domain.name(), new GuestId("", domain.id(), "")));
    return guests;
  }

  /** What must not change while something is measured, as it is now. */
  default HostState state() {
    return HostState.of(describe(), domains(), guests());
  }

  /** Whether this version has that scheduler and its settings. */
  default boolean has(Scheduler scheduler) {
    return settings().stream().anyMatch(one -> one.parameters().scheduler() == scheduler);
  }

  /** Whether domains can go from one setting to the other while they run. */
  default boolean switchesLive(SchedulerParameters from, SchedulerParameters to) {
    return from.scheduler() == to.scheduler();
  }

  /** How a person brings the guests under a scheduler that they do not run under now. */
  default String activation(Scheduler scheduler) {
    return "use a host that has the %s scheduler".formatted(scheduler.xenName());
  }

  /**
   * Whether a reading is what this host shows for a setting: {@code xm} prints sEDF's times in
   * steps of 0.1 ms, and a period and slice mean nothing beside a weight.
   */
  default boolean shows(SchedulerParameters set, SchedulerParameters read) {
    return set.equals(read);
  }

  /**
   * Why a domain that shows these parameters could not be given them back: {@code xm} prints a
   * slice of 20 µs as 0.0 ms. Empty if it could.
   */
  default Optional<String> unrestorable(SchedulerParameters shown) {
    return Optional.empty();
  }

  /**
   * Why this host can never take these settings, in a sentence; empty if it can, if only after a
   * reboot into another scheduler.
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

  /** Why no domain of that name is among those that run. */
  default String whyMissing(String name) {
    return "does not run on the host";
  }

  /** What a person should know of this host before a run; looking may take a second. */
  default List<Remark> remarks() {
    return List.of();
  }

  /**
   * What a person should know of a host.
   *
   * @param subject what it is about, in a word or two
   * @param wayOut what to do about it; empty if all is well
   */
  record Remark(String subject, String sentence, String wayOut) {}

  /** A domain and its parameters. */
  record Setting(Domain domain, SchedulerParameters parameters) {
    /** The parameters by the name of their domain; the first of several of one name counts. */
    public static Map<String, SchedulerParameters> byName(Collection<Setting> settings) {
      Map<String, SchedulerParameters> byName = new LinkedHashMap<>();
      settings.forEach(one -> byName.putIfAbsent(one.domain().name(), one.parameters()));
      return byName;
    }
  }

  /**
   * A setting asked for and what was read back.
   *
   * @param matches whether the reading is what the host shows for the setting; see {@link #shows}
   */
  record Applied(
      Domain domain, SchedulerParameters asked, SchedulerParameters read, boolean matches) {}
}
