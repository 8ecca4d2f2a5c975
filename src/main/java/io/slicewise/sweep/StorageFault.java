package io.slicewise.sweep;

import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;

/** What is said when a run directory takes no more data. */
final class StorageFault {
  private StorageFault() {}

  static SlicewiseException of(String message, IOException cause) {
    return new SlicewiseException(
        ExitCode.STORAGE,
        "%s: %s".formatted(message, cause.getMessage()),
        "make room there, then resume the run",
        cause);
  }

  static boolean is(Throwable fault) {
    return fault instanceof SlicewiseException known && known.exitCode() == ExitCode.STORAGE;
  }
}
