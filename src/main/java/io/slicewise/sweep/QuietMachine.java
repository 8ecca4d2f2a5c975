package io.slicewise.sweep;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.StopRequest;
import io.slicewise.sweep.window.MachineUse;
import io.slicewise.sweep.window.Sitting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Waits while other programs use more of this machine's CPU than the experiment allows: before the
 * run, and before each trial or window. All waits of a run share one limit of time.
 */
final class QuietMachine {
  /** Long enough for a share that does not follow single ticks of the kernel's clock. */
  private static final Duration GLANCE = Duration.ofSeconds(1);

  /** How long it must have been quiet after it was busy. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** Reads the work of others; the fault that a test cannot make otherwise. */
  interface Reading {
    /**
     * Returns the share of the CPU that others used since the last call, 0..1; {@code NaN} if
     * unknown. Waits until that is at least so long.
     */
    double othersFor(Duration atLeast);

    /** Returns whether nobody asked the run to stop, which also ends the waiting. */
    boolean goesOn();

    /** Returns the tasks on this machine that run or wait for a CPU; negative if unknown. */
    int runQueue();
  }

  private final Reading reading;
  private final double limit;
  private final Consumer<String> notices;
  private Duration patience;

  /**
   * @param limit the largest share that others may use, 0..1
   * @param patience how long to wait in all; zero to never look
   */
  QuietMachine(Reading reading, double limit, Duration patience, Consumer<String> notices) {
    this.reading = reading;
    this.limit = limit;
    this.patience = patience;
    this.notices = notices;
  }

  /** Returns the machine of a sitting; it is never awaited where other work does not matter. */
  static QuietMachine of(Sitting sitting) {
    double limit = sitting.experiment().limits().otherWorkShare();
    boolean judged = limit < 1 && MachineUse.matters(sitting.experiment());
    return new QuietMachine(
        judged ? new MachineReading(sitting) : NEVER_BUSY,
        limit,
        judged ? sitting.options().quietPatience() : Duration.ZERO,
        sitting::notice);
  }

  private static final Reading NEVER_BUSY =
      new Reading() {
        @Override
        public double othersFor(Duration atLeast) {
          return 0;
        }

        @Override
        public boolean goesOn() {
          return true;
        }

        @Override
        public int runQueue() {
          return 0;
        }
      };

  /**
   * Waits before the first change of the host.
   *
   * @throws SlicewiseException if the machine stays busy, or a request to stop ends the waiting
   */
  void awaitStart() {
    try {
      if (await("results would not count")) {
        return;
      }
    } catch (StopRequest.StoppedNow twoRequests) {
      throw interrupted();
    }
    if (!reading.goesOn()) {
      throw interrupted();
    }
    throw new SlicewiseException(
        ErrorKind.NOT_READY,
        "this machine stayed busy, and nothing was measured or changed",
        "end the other programs, or start with --anyway");
  }

  private static SlicewiseException interrupted() {
    return new SlicewiseException(
        ErrorKind.INTERRUPTED,
        "interrupted while waiting for a quiet machine; nothing was measured or changed",
        "");
  }

  /** Waits before a trial or window, as long as patience is left. */
  void awaitNext() {
    if (!patience.isZero() && !await("the next window would not count") && reading.goesOn()) {
      notices.accept("this machine stays busy; the run continues, and busy windows do not count");
    }
  }

  /** Returns whether it is quiet; false if patience ended first, or somebody stopped the run. */
  private boolean await(String why) {
    if (patience.isZero()) {
      return true;
    }
    double others = reading.othersFor(GLANCE);
    if (!(others > limit)) {
      return true;
    }
    notices.accept(
        Phrase.of(
            "this machine is busy%s: other programs use %.0f %% of its CPU (limit %.0f %%), and %s;"
                + " waiting for up to %s (--anyway does not wait)",
            queue(), 100 * others, 100 * limit, why, DurationText.of(patience)));
    Duration waited = Duration.ZERO;
    while (others > limit && patience.compareTo(Duration.ZERO) > 0 && reading.goesOn()) {
      others = reading.othersFor(LOOK);
      waited = waited.plus(LOOK);
      patience = patience.minus(LOOK);
    }
    patience = patience.isNegative() ? Duration.ZERO : patience;
    if (others > limit) {
      return false;
    }
    notices.accept("this machine is quiet again after " + DurationText.of(waited));
    return true;
  }

  private String queue() {
    int tasks = reading.runQueue();
    return tasks < 0 ? "" : " (run queue " + tasks + ")";
  }

  /** Reads the work of other programs from this machine's kernel. */
  static final class MachineReading implements QuietMachine.Reading {
    /** Its fourth field is the number of runnable tasks, see proc_loadavg(5). */
    private static final Path LOAD = Path.of("/proc/loadavg");

    private final Sitting sitting;
    private Instant at;
    private MachineUse before;

    MachineReading(Sitting sitting) {
      this.sitting = sitting;
      this.at = sitting.now();
      this.before = MachineUse.read();
    }

    @Override
    public double othersFor(Duration atLeast) {
      sitting.stop().restUntil(at.plus(atLeast));
      MachineUse now = MachineUse.read();
      double share = now.othersSince(before);
      at = sitting.now();
      before = now;
      return share;
    }

    @Override
    public boolean goesOn() {
      return sitting.goesOn();
    }

    @Override
    public int runQueue() {
      try {
        String fourth = Files.readString(LOAD).split(" ", -1)[3];
        // This thread is one of them.
        return Integer.parseInt(fourth.substring(0, fourth.indexOf('/'))) - 1;
      } catch (IOException notLinux) {
        return -1;
      }
    }
  }
}
