package io.slicewise.xen;

import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.List;

/**
 * Xen's command-line toolstack on one host: {@code xl} or {@code xm}, one version, its quirks
 * hidden.
 *
 * <p>Methods throw {@link XenException} when the toolstack refuses or prints what cannot be
 * understood, and {@link io.slicewise.ssh.RemoteShellException} when the host cannot be reached.
 */
public interface Toolstack {
  /** The host as it is now: version, schedulers, pools. Read afresh at each call. */
  HostDescription describe();

  /** All running domains, Domain-0 first. */
  List<Domain> domains();

  /**
   * The domain's live parameters under that scheduler.
   *
   * @throws XenException if the domain's pool runs another scheduler or the domain is not there
   */
  SchedulerParameters read(Domain domain, Scheduler scheduler);

  /**
   * The commands {@link #apply} would send, in order, given what is set now; for {@code plan}.
   * Empty if nothing differs.
   */
  List<Command> commandsFor(Domain domain, SchedulerParameters current, SchedulerParameters wanted);

  /**
   * Sets the domain's parameters, reads them back and returns what was read. A difference is the
   * caller's to judge; see {@link Applied#matches}.
   */
  Applied apply(Domain domain, SchedulerParameters wanted);

  /** A setting asked for and what was read back. */
  record Applied(Domain domain, SchedulerParameters asked, SchedulerParameters read) {
    public boolean matches() {
      return asked.equals(read);
    }
  }
}
