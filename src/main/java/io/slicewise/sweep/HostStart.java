package io.slicewise.sweep;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Watching;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.ssh.RemoteShellException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Opens the host at the start of a run. A slow host, or one that drops the connection, gets the
 * same patience as later; an unreachable host usually means a wrong address and is reported at
 * once.
 */
record HostStart(Duration patience, StopRequest stop, Clock clock, SweepListener listener) {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  HostSession open(HostSpec spec, Watching watching, RunDirectory run) {
    Instant deadline = clock.instant().plus(patience);
    while (true) {
      try {
        return HostSession.open(spec, watching, run);
      } catch (RemoteShellException fault) {
        if (!mayPass(fault) || !clock.instant().plus(PAUSE).isBefore(deadline)) {
          throw fault;
        }
        listener.notice(
            "%s Trying again for up to %s."
                .formatted(HostWatch.describe(fault), DurationText.of(patience)));
        pause(spec);
      }
    }
  }

  private static boolean mayPass(RemoteShellException fault) {
    return switch (fault.kind()) {
      case TIMED_OUT, CONNECTION_LOST -> true;
      default -> false;
    };
  }

  private void pause(HostSpec spec) {
    try {
      stop.restUntil(clock.instant().plus(PAUSE));
    } catch (StopRequest.StoppedNow now) {
      throw interrupted(spec);
    }
    if (stop.wish() != StopRequest.Wish.GO_ON) {
      throw interrupted(spec);
    }
  }

  private static SlicewiseException interrupted(HostSpec spec) {
    return new SlicewiseException(
        ErrorKind.INTERRUPTED,
        "interrupted while waiting for " + spec.address() + "; nothing was changed",
        "");
  }
}
