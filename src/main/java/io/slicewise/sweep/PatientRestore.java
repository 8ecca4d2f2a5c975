package io.slicewise.sweep;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.SweepListener;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Puts a host back at the end of a run, waiting for one that is away or not quite there yet. A host
 * that was rebooted has forgotten the run's lock, and another run may hold it by now: nothing is
 * written under its hands.
 */
final class PatientRestore {
  private static final int ATTEMPTS = 4;

  private final HostLock lock;
  private final SettingsGuard guard;
  private final HostWatch watch;
  private final SweepListener listener;
  private final Map<String, SchedulerParameters> restored = new LinkedHashMap<>();
  private final Map<String, String> gone = new LinkedHashMap<>();

  PatientRestore(HostLock lock, SettingsGuard guard, HostWatch watch, SweepListener listener) {
    this.lock = lock;
    this.guard = guard;
    this.watch = watch;
    this.listener = listener;
  }

  /** Whether nothing this run changed is left changed. A fault is a notice and another try. */
  boolean restore() {
    if (!guard.leftChanged()) {
      return true;
    }
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Result result = restoredOnce();
      if (result == Result.RESTORED) {
        return true;
      }
      if (attempt < ATTEMPTS && !anotherTry(result, attempt)) {
        return false;
      }
    }
    return false;
  }

  /** How a try ended: a host that refused a setting is there, and needs no waiting for. */
  private enum Result {
    RESTORED,
    REFUSED,
    AWAY
  }

  private boolean anotherTry(Result result, int attempt) {
    if (result == Result.AWAY) {
      return watch.awaitReturnEvenIfStopped();
    }
    watch.pauseEvenIfStopped(attempt);
    return true;
  }

  private Result restoredOnce() {
    try {
      lock.takeAgain();
      SettingsGuard.Restoration restoration = guard.restore();
      restored.putAll(restoration.restored());
      gone.putAll(restoration.gone());
      restoration.notices().forEach(listener::notice);
      restoration
          .gone()
          .forEach((domain, sentence) -> listener.notice("gone: " + domain + ": " + sentence));
      restoration
          .complaints()
          .forEach(
              (domain, complaint) ->
                  listener.notice("not restored yet: " + domain + ": " + complaint));
      return restoration.complete() ? Result.RESTORED : Result.REFUSED;
    } catch (RuntimeException fault) {
      // Whatever it is, what counts now is that the host gets its settings back.
      listener.notice("the host is not restored yet: " + fault.getMessage());
      return Result.AWAY;
    }
  }

  /** Changed guests that no longer run, each with a sentence. */
  Map<String, String> gone() {
    return Map.copyOf(gone);
  }

  /** What was put back and read back so far, by domain. */
  Map<String, SchedulerParameters> restored() {
    return Map.copyOf(restored);
  }
}
