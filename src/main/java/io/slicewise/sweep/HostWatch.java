package io.slicewise.sweep;

import io.slicewise.base.units.DurationText;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.ssh.RemoteShellException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Waits for a lost host to answer again, for example after a network failure or a reboot. */
final class HostWatch {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Hypervisor hypervisor;
  private final Duration patience;
  private final StopRequest stop;
  private final Clock clock;
  private final SweepListener listener;

  HostWatch(
      Hypervisor hypervisor,
      Duration patience,
      StopRequest stop,
      Clock clock,
      SweepListener listener) {
    this.hypervisor = hypervisor;
    this.patience = patience;
    this.stop = stop;
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Waits for the host; returns whether it came back in time. A request to stop now ends the wait.
   */
  boolean awaitReturn() {
    return await(stop);
  }

  /** Waits for the host in order to restore it, even if the run is to stop. */
  boolean awaitReturnEvenIfStopped() {
    return await(new StopRequest(clock));
  }

  /** Waits before the next attempt, longer each time, even if the run is to stop. */
  void pauseEvenIfStopped(int attempt) {
    new StopRequest(clock)
        .waitUntil(clock.instant().plus(FIRST_PAUSE.multipliedBy(1L << (attempt - 1))));
  }

  private boolean await(StopRequest until) {
    Instant deadline = clock.instant().plus(patience);
    Duration pause = FIRST_PAUSE;
    while (clock.instant().isBefore(deadline)) {
      until.waitUntil(clock.instant().plus(pause));
      if (answers()) {
        listener.notice("the host answers again");
        return true;
      }
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
              ? LONGEST_PAUSE
              : pause.multipliedBy(2);
    }
    listener.notice("gave up on the host after " + DurationText.of(patience));
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
