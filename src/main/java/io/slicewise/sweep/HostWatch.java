package io.slicewise.sweep;

import io.slicewise.base.units.DurationText;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.run.StopRequest;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.window.Sitting;
import java.time.Duration;
import java.time.Instant;

/** Waits for a lost host to answer again, for example after a network failure or a reboot. */
record HostWatch(Hypervisor hypervisor, Sitting sitting) {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /**
   * Waits for the host; returns whether it came back in time. A request to stop now ends the wait.
   */
  boolean awaitReturn() {
    return await(sitting.stop());
  }

  /** Waits for the host in order to restore it, even if the run is to stop. */
  boolean awaitReturnEvenIfStopped() {
    return await(new StopRequest(sitting.clock()));
  }

  /** Waits before the next attempt, longer each time, even if the run is to stop. */
  void pauseEvenIfStopped(int attempt) {
    new StopRequest(sitting.clock())
        .waitUntil(sitting.now().plus(FIRST_PAUSE.multipliedBy(1L << (attempt - 1))));
  }

  private boolean await(StopRequest until) {
    Instant deadline = sitting.now().plus(sitting.options().hostPatience());
    Duration pause = FIRST_PAUSE;
    while (sitting.now().isBefore(deadline)) {
      until.waitUntil(sitting.now().plus(pause));
      if (answers()) {
        sitting.notice("the host answers again");
        return true;
      }
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
              ? LONGEST_PAUSE
              : pause.multipliedBy(2);
    }
    sitting.notice(
        "gave up on the host after " + DurationText.of(sitting.options().hostPatience()));
    return false;
  }

  /** Whether the host answers; while it boots, its SSH server answers before its toolstack. */
  private boolean answers() {
    try {
      hypervisor.describe();
      return true;
    } catch (RemoteShellException | HypervisorException notYet) {
      return false;
    }
  }

  /** Describes the failure: a host that answers too late is slow, not lost. */
  static String describe(RemoteShellException fault) {
    boolean slow = fault.kind() == RemoteShellException.Kind.TIMED_OUT;
    return (slow ? "the host is too slow: " : "lost the host: ") + fault.getMessage();
  }

  /** Whether the failure means that the host is unreachable, and not a failure of the command. */
  static boolean isLoss(RemoteShellException fault) {
    return switch (fault.kind()) {
      case CONNECTION_LOST, UNREACHABLE, TIMED_OUT -> true;
      case HOST_KEY_UNKNOWN,
          HOST_KEY_CHANGED,
          HOST_KEY_REVOKED,
          LOGIN_REFUSED,
          COMMAND_ENDED,
          OUTPUT_TOO_LARGE,
          FILE_NOT_FETCHED,
          FILE_NOT_SENT ->
          false;
    };
  }
}
