package io.slicewise.sweep;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.HostSpec;
import io.slicewise.run.StopRequest;
import io.slicewise.ssh.RemoteShellException;
import java.time.Duration;
import java.time.Instant;

/**
 * Opens the host at the start of a run. A slow host, or one that drops the connection, gets the
 * same patience as later; an unreachable host usually means a wrong address and is reported at
 * once.
 */
record HostStart(Sitting sitting) {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  HostSession open(HostSpec spec) {
    Duration patience = sitting.options().hostPatience();
    Instant deadline = sitting.now().plus(patience);
    while (true) {
      try {
        return HostSession.open(spec, sitting.experiment().watching(), sitting.run());
      } catch (RemoteShellException fault) {
        if (!mayPass(fault) || !sitting.now().plus(PAUSE).isBefore(deadline)) {
          throw fault;
        }
        sitting.notice(
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
      sitting.stop().restUntil(sitting.now().plus(PAUSE));
    } catch (StopRequest.StoppedNow now) {
      throw interrupted(spec);
    }
    if (!sitting.goesOn()) {
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
