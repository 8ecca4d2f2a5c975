package io.slicewise.run;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Prevents two processes from using one run directory. The operating system releases it with the
 * process, even after a SIGKILL. It is a separate file because closing any other channel on the
 * locked file would release a POSIX lock.
 */
public final class RunLock implements AutoCloseable {
  private static final int ATTEMPTS = 5;
  private static final Duration PAUSE = Duration.ofMillis(10);

  /** What this process has locked. It must not open these files again. */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private RunLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  public static synchronized RunLock take(Path runDirectory) {
    try {
      Path file = runDirectory.toRealPath().resolve(".lock");
      if (OWN.add(file)) {
        Optional<FileChannel> channel = Optional.empty();
        try {
          channel = locked(file);
        } finally {
          if (channel.isEmpty()) {
            OWN.remove(file);
          }
        }
        if (channel.isPresent()) {
          return new RunLock(file, channel.get());
        }
      }
    } catch (IOException e) {
      throw SlicewiseException.input(
          "cannot lock " + runDirectory + ": " + FileFault.reason(e), "", e);
    }
    throw new SlicewiseException(
        ErrorKind.LOCKED,
        "another process is working on " + runDirectory,
        "'slicewise status " + runDirectory + "' shows its progress");
  }

  private static Optional<FileChannel> locked(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    OwnerOnly.close(file);
    if (locked(channel)) {
      return Optional.of(channel);
    }
    channel.close();
    return Optional.empty();
  }

  /** Tries repeatedly: {@link #isHeld} of another process holds the lock briefly. */
  private static boolean locked(FileChannel channel) throws IOException {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      if (channel.tryLock() != null) {
        return true;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return channel.tryLock() != null;
  }

  /** Whether a process holds the lock of the run. Has no side effects. */
  static synchronized boolean isHeld(Path runDirectory) {
    try {
      Path file = runDirectory.toRealPath().resolve(".lock");
      return OWN.contains(file) || isHeldElsewhere(file);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isHeldElsewhere(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock == null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new SlicewiseException(ErrorKind.INTERNAL, "cannot unlock the run directory", "", e);
    } finally {
      OWN.remove(file);
    }
  }
}
