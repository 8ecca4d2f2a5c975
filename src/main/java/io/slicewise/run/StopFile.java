package io.slicewise.run;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A file in a run directory by which another process asks the run to end now. It is watched while
 * the run is worked on, and removed once it is seen.
 */
public final class StopFile implements AutoCloseable {
  private static final String NAME = "stop";
  private static final long GLANCE_MILLIS = 200;

  private final Path file;
  private final StopRequest stop;
  private final Thread watching = new Thread(this::watch, "stop-file");

  private StopFile(Path file, StopRequest stop) {
    this.file = file;
    this.stop = stop;
    watching.setDaemon(true);
  }

  /** Begins to watch a run; one that was left by an earlier request does not count. */
  public static StopFile of(RunDirectory run, StopRequest stop) {
    StopFile its = new StopFile(run.root().resolve(NAME), stop);
    its.remove();
    its.watching.start();
    return its;
  }

  /** Asks the process that works on a run to end it now. */
  public static void ask(RunDirectory run) {
    Path file = run.root().resolve(NAME);
    try {
      Files.writeString(file, "");
    } catch (IOException fault) {
      throw SlicewiseException.input(
          "%s cannot be written: %s".formatted(file, FileFault.reason(fault)),
          "stop the run as its own user, or press Ctrl-C twice where it runs",
          fault);
    }
  }

  /** Returns whether the process that works on a run has not seen the request yet. */
  public static boolean isUnseen(RunDirectory run) {
    return Files.exists(run.root().resolve(NAME));
  }

  private void watch() {
    try {
      while (!Files.exists(file)) {
        TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
      }
      stop.askNow();
      remove();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void remove() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException left) {
      // The next process that works on the run removes it, or finds the directory gone.
      return;
    }
  }

  @Override
  public void close() {
    watching.interrupt();
  }
}
