package io.slicewise.run.journal;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.Path;

/** The errors for a run directory that cannot be written or read. */
public final class StorageFault {
  private StorageFault() {}

  /** Returns the error for a run directory that cannot be created. */
  public static SlicewiseException creating(Path parent, IOException cause) {
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
        FileFault.isDiskFull(cause) ? "free disk space there, then resume the run" : "",
        cause);
  }

  /** Refuses files and directories that exist and that this user may not read. */
  public static void refuseUnreadable(Path... parts) {
    for (Path part : parts) {
      try {
        part.getFileSystem().provider().checkAccess(part, AccessMode.READ);
      } catch (AccessDeniedException denied) {
        throw SlicewiseException.input(
            "%s cannot be read: %s".formatted(part, FileFault.reason(denied)),
            "run the command as the user who owns it",
            denied);
      } catch (IOException missing) {
        // Whoever needs the part reports that it is missing.
      }
    }
  }

  public static boolean is(Throwable fault) {
    return fault instanceof SlicewiseException known && known.errorKind() == ErrorKind.STORAGE;
  }
}
