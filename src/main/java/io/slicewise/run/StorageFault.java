package io.slicewise.run;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Path;

/** The error for a run directory that cannot be written. */
public final class StorageFault {
  private StorageFault() {}

  /** Returns the error for a run directory that cannot be created. */
  static SlicewiseException creating(Path parent, IOException cause) {
    return new SlicewiseException(
        FileFault.isDiskFull(cause) ? ErrorKind.STORAGE : ErrorKind.INPUT,
        "cannot create a run directory below " + parent + ": " + FileFault.reason(cause),
        "specify another directory with --results",
        cause);
  }

  public static SlicewiseException of(String message, IOException cause) {
    return new SlicewiseException(
        ErrorKind.STORAGE,
        "%s: %s".formatted(message, FileFault.reason(cause)),
        "free disk space there, then resume the run",
        cause);
  }

  public static boolean is(Throwable fault) {
    return fault instanceof SlicewiseException known && known.errorKind() == ErrorKind.STORAGE;
  }
}
