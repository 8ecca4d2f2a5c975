package io.slicewise.host.xen;

import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Xen's command-line toolstack on one host: {@code xl} or {@code xm}, one version, its quirks
 * hidden.
 *
 * <p>Methods throw {@link XenException} when the toolstack refuses or prints what cannot be
 * understood, and {@link io.slicewise.ssh.RemoteShellException} when the host cannot be reached.
 */
public interface Toolstack {
  /** {@code xl} or {@code xm}. */
  String name();

  /** The hypervisor's version as probing found it. */
  XenVersion version();

  /** The host as it is now: version, schedulers, pools. Read afresh at each call. */
  HostDescription describe();

  /** All running domains, Domain-0 first. */
  List<Domain> domains();

  /**
   * What is set now for every running domain, under the scheduler of the cpupool it is in; one
   * listing command for each scheduler in use. Domains under a scheduler without parameters are
   * left out.
   */
  List<Setting> settings();

  /** Which guest each running domain is, by name. */
  Map<String, GuestId> guests();

  /** What must not change while something is measured, as it is now. */
  HostState state();

  /**
   * The domain's live parameters under that scheduler. The domain is found by its name; its id may
   * have changed.
   *
   * @throws XenException if the domain's pool runs another scheduler or the domain is not there
   */
  SchedulerParameters read(Domain domain, Scheduler scheduler);

  /**
   * The commands {@link #apply} would send, in order, given what is set now; for {@code plan}.
   * Empty if nothing differs.
   *
   * @throws XenException if the toolstack cannot express what is wanted
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

  /**
   * Whether a reading is what this toolstack shows for a setting: {@code xm} prints sEDF's times in
   * steps of 0.1 ms, and a period and slice mean nothing beside a weight.
   */
  boolean shows(SchedulerParameters set, SchedulerParameters read);

  /**
   * Why a domain that shows these parameters could not be given them back: {@code xm} prints a
   * slice of 20 µs as 0.0 ms. Empty if it could.
   */
  Optional<String> unrestorable(SchedulerParameters shown);

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
   * @param matches whether the reading is what the toolstack shows for the setting; see {@link
   *     #shows}
   */
  record Applied(
      Domain domain, SchedulerParameters asked, SchedulerParameters read, boolean matches) {}
}
