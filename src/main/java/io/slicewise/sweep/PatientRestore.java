package io.slicewise.sweep;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.SweepListener;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.SettingsGuard;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Restores a host at the end of a run, and waits for one that is unreachable or still booting. A
 * rebooted host has lost the run's lock, and another run may have it by now: then nothing is
 * changed.
 */
final class PatientRestore {
  private static final int ATTEMPTS = 4;

  private final HostLock lock;
  private final SettingsGuard guard;
  private final HostWatch watch;
  private final SweepListener listener;
  private final Map<String, SchedulerParameters> restored = new LinkedHashMap<>();
  private final Map<String, String> gone = new LinkedHashMap<>();
  private Map<String, String> complaints = Map.of();

  PatientRestore(HostLock lock, SettingsGuard guard, HostWatch watch, SweepListener listener) {
    this.lock = lock;
    this.guard = guard;
    this.watch = watch;
    this.listener = listener;
  }

  /**
   * Restores the host; returns whether all changes of this run are undone. A failure causes a
   * notice and another attempt, unless the host refuses for the same reason as before.
   */
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

  /**
   * The result of an attempt: a host that refused a setting is reachable and need not be awaited;
   * one that refused it again will not take it.
   */
  private enum Result {
    RESTORED,
    REFUSED,
    REFUSED_AGAIN,
    AWAY
  }

  private boolean anotherTry(Result result, int attempt) {
    if (result == Result.REFUSED_AGAIN) {
      return false;
    }
    if (result == Result.AWAY) {
      return watch.awaitReturnEvenIfStopped();
    }
    watch.pauseEvenIfStopped(attempt);
    return true;
  }

  private Result restoredOnce() {
    try {
      lock.takeAgain();
      SettingsGuard.Restoration restoration = guard.restore(false);
      restored.putAll(restoration.restored());
      gone.putAll(restoration.gone());
      restoration.notices().forEach(listener::notice);
      restoration
          .gone()
          .forEach((domain, sentence) -> listener.notice("gone: " + domain + ": " + sentence));
      restoration
          .foreign()
          .values()
          .forEach(
              sentence ->
                  listener.notice(
                      "left: "
                          + sentence
                          + "; it is left, and what else this run set there is restored"));
      if (restoration.complete()) {
        return Result.RESTORED;
      }
      if (restoration.complaints().equals(complaints)) {
        return Result.REFUSED_AGAIN;
      }
      complaints = restoration.complaints();
      complaints.forEach(
          (domain, complaint) -> listener.notice("not restored yet: " + domain + ": " + complaint));
      return Result.REFUSED;
    } catch (RuntimeException fault) {
      // Whatever the failure is, the host must get its settings back.
      listener.notice("the host is not restored yet: " + fault.getMessage());
      return Result.AWAY;
    }
  }

  /** Changed guests that no longer run, each with a sentence. */
  Map<String, String> gone() {
    return Map.copyOf(gone);
  }

  /** The restored and verified settings so far, by domain. */
  Map<String, SchedulerParameters> restored() {
    return Map.copyOf(restored);
  }
}
