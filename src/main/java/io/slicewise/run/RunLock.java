package io.slicewise.run;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Prevents two processes from using one run directory. The operating system releases it with the
 * process, even after a SIGKILL. It is a separate file because closing any other channel on the
 * locked file would release a POSIX lock.
 */
public final class RunLock implements AutoCloseable {
  private static final int ATTEMPTS = 5;
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final FileChannel channel;

  private RunLock(FileChannel channel) {
    this.channel = channel;
  }

  public static RunLock take(Path runDirectory) {
    try {
      FileChannel channel =
          FileChannel.open(
              runDirectory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      OwnerOnly.close(runDirectory.resolve(".lock"));
      if (!locked(channel)) {
        channel.close();
        throw new SlicewiseException(
            ErrorKind.LOCKED,
            "another process is working on " + runDirectory,
            "'slicewise status " + runDirectory + "' shows its progress");
      }
      return new RunLock(channel);
    } catch (IOException e) {
      throw SlicewiseException.input(
          "cannot lock " + runDirectory + ": " + FileFault.reason(e), "", e);
    }
  }

  /** Tries repeatedly: {@link #isHeld} of another process holds the lock briefly. */
  private static boolean locked(FileChannel channel) throws IOException {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      if (tryLock(channel, false) != null) {
        return true;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return tryLock(channel, false) != null;
  }

  /** Whether a process holds the lock of the run. Has no side effects. */
  static boolean isHeld(Path runDirectory) {
    Path file = runDirectory.resolve(".lock");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        FileLock lock = tryLock(channel, true)) {
      return lock == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static FileLock tryLock(FileChannel channel, boolean shared) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, shared);
    } catch (OverlappingFileLockException heldByThisProcess) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new SlicewiseException(ErrorKind.INTERNAL, "cannot unlock the run directory", "", e);
    }
  }
}
