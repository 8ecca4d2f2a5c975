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

/** Waits for a lost host to answer again: after a broken cable, or a reboot in the night. */
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

  /** Whether the host came back in time; a wish to stop now ends the waiting. */
  boolean awaitReturn() {
    return await(stop);
  }

  /** The same for restoring, which is worth waiting for even when the run is to stop. */
  boolean awaitReturnEvenIfStopped() {
    return await(new StopRequest(clock));
  }

  /** Waits a little longer before each try; also when the run is to stop. */
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
    listener.notice("gave the host up after " + DurationText.of(patience));
    return false;
  }

  /** While a host boots, its SSH server answers before its toolstack does. */
  private boolean answers() {
    try {
      hypervisor.describe();
      return true;
    } catch (RemoteShellException | HypervisorException notYet) {
      return false;
    }
  }

  /** What to call the fault: a host that answers too late is slow, not lost. */
  static String describe(RemoteShellException fault) {
    boolean slow = fault.kind() == RemoteShellException.Kind.TIMED_OUT;
    return (slow ? "the host is too slow: " : "lost the host: ") + fault.getMessage();
  }

  /** Whether the fault means that the host is out of reach; any other is the command's own. */
  static boolean isLoss(RemoteShellException fault) {
    return switch (fault.kind()) {
      case CONNECTION_LOST, UNREACHABLE, TIMED_OUT -> true;
      case HOST_KEY_UNKNOWN,
          HOST_KEY_CHANGED,
          HOST_KEY_REVOKED,
          LOGIN_REFUSED,
          COMMAND_ENDED,
          OUTPUT_TOO_LARGE,
          FILE_NOT_FETCHED ->
          false;
    };
  }
}
