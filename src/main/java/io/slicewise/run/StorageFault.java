package io.slicewise.run;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;

/** The error for a run directory that cannot be written. */
public final class StorageFault {
  private StorageFault() {}

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
