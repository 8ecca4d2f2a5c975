package io.slicewise.run.journal;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The journal of a run: one event per line, on disk before {@link #append} returns.
 *
 * <p>A process killed while appending leaves at most one line without its newline. Such a line
 * never counted, so it is cut off when the journal is opened for writing, and skipped when it is
 * only read. How lines are verified is described at {@link JournalLines}; that none is missing at
 * the end is verified with {@link JournalHead}.
 */
public final class Journal implements AutoCloseable {
  private final FileChannel channel;
  private final OpenFile place;
  private final JournalHead head;
  private final Reserve reserve;
  private long end;
  private int last;
  private String sum;

  /** Appends after the channel's last byte, which must be a newline. */
  Journal(FileChannel channel, Path file) throws IOException {
    this.channel = channel;
    this.place = OpenFile.of(file);
    this.head = new JournalHead(file);
    this.reserve = new Reserve(file.toAbsolutePath().getParent());
    this.end = channel.size();
    JournalLines lines = JournalLines.of(Files.readAllBytes(file));
    this.last = lines.last();
    this.sum = lines.sum();
  }

  public static Journal open(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      channel.truncate(JournalLines.wholeLines(Files.readAllBytes(file)));
      channel.force(true);
      WholeFile.forceDirectory(file.toAbsolutePath().getParent());
      OwnerOnly.close(file);
      Journal journal = new Journal(channel, file);
      journal.reserve.take();
      return journal;
    } catch (IOException e) {
      throw StorageFault.of("cannot open the journal " + file, e);
    }
  }

  /**
   * Writes the event and waits until it is on disk. A line that was not written completely is cut
   * off, now or before the next one, so that no later line continues it. Thread-safe.
   *
   * @throws SlicewiseException with {@code DIRECTORY_GONE} if the run directory was moved or
   *     removed
   */
  public synchronized void append(JournalEvent event) {
    if (!place.isInPlace()) {
      throw new SlicewiseException(ErrorKind.DIRECTORY_GONE, place.gone(), "");
    }
    try {
      write(event);
    } catch (IOException e) {
      throw unwritten(e);
    }
  }

  /** Whether the journal is where it was opened, and where it is otherwise. */
  public OpenFile place() {
    return place;
  }

  /**
   * Appends an event without which the journal would misstate the host's settings: on a full disk,
   * the reserved space is used, and a journal that was moved or removed is still written.
   */
  public synchronized void appendFromReserve(JournalEvent event) {
    try {
      try {
        write(event);
      } catch (IOException full) {
        cutOff();
        if (!reserve.release()) {
          throw full;
        }
        write(event);
      }
    } catch (IOException e) {
      throw unwritten(e);
    }
  }

  private void write(JournalEvent event) throws IOException {
    String text = JournalLines.text(event, last + 1, sum);
    byte[] line = (text + "\n").getBytes(StandardCharsets.UTF_8);
    cutOff();
    ByteBuffer buffer = ByteBuffer.wrap(line);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    channel.force(false);
    end += line.length;
    last++;
    sum = Seal.verify(text).orElseThrow();
    head.write(last, sum);
  }

  private SlicewiseException unwritten(IOException cause) {
    SlicewiseException fault = StorageFault.of("cannot write to the journal", cause);
    try {
      cutOff();
    } catch (IOException again) {
      fault.addSuppressed(again);
    }
    return fault;
  }

  private void cutOff() throws IOException {
    if (channel.size() > end) {
      channel.truncate(end);
    }
    channel.position(end);
  }

  /** Returns the valid events of a journal file, oldest first; empty if there is no such file. */
  public static List<JournalEvent> read(Path file) {
    return lines(file).events();
  }

  /**
   * Returns the verified lines of a journal file; none if there is no such file. Another process
   * may append meanwhile: the head is read first, and what does not fit is read again once it
   * changed.
   */
  public static JournalLines lines(Path file) {
    JournalHead head = new JournalHead(file);
    try {
      String named = head.read();
      while (true) {
        JournalLines lines =
            JournalLines.of(Files.exists(file) ? Files.readAllBytes(file) : new byte[0]);
        Optional<RunDamage> missing = JournalHead.damage(named, lines);
        String now = missing.isPresent() ? head.read() : named;
        if (now.equals(named)) {
          List<RunDamage> damages = new ArrayList<>(lines.damages());
          missing.ifPresent(damages::add);
          return new JournalLines(lines.events(), lines.last(), lines.sum(), List.copyOf(damages));
        }
        named = now;
      }
    } catch (IOException e) {
      throw new SlicewiseException(
          ErrorKind.INTERNAL,
          "cannot read the journal " + file + ": " + FileFault.reason(e),
          "",
          e);
    }
  }

  @Override
  public void close() {
    try (head) {
      channel.close();
    } catch (IOException e) {
      throw StorageFault.of("cannot close the journal", e);
    }
  }

  /**
   * A file of a run directory that this process has open: the directory may be moved or removed
   * meanwhile, and the file can still be written.
   *
   * @param path where it was opened
   * @param key of the file itself, which a move within a file system keeps; empty if there is none
   */
  public record OpenFile(Path path, Optional<Object> key) {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    static OpenFile of(Path path) {
      return new OpenFile(path, key(path));
    }

    private static Optional<Object> key(Path path) {
      try {
        return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
      } catch (IOException unreadable) {
        return Optional.empty();
      }
    }

    /**
     * Returns whether the path still leads to the file; what cannot be read is taken to be there.
     */
    public boolean isInPlace() {
      return !Files.notExists(path)
          && (key.isEmpty() || key(path).isEmpty() || key.equals(key(path)));
    }

    /**
     * Returns the directory in which the file is now; empty if it was removed, or that is unknown.
     */
    public Optional<Path> directoryNow() {
      try (Stream<Path> open = Files.list(OPEN_FILES)) {
        return open.flatMap(link -> target(link).stream())
            .filter(target -> target.endsWith(path.getFileName()) && key(target).equals(key))
            .findFirst()
            .map(Path::getParent);
      } catch (IOException notHere) {
        return Optional.empty();
      }
    }

    private static Optional<Path> target(Path link) {
      try {
        return Optional.of(Files.readSymbolicLink(link));
      } catch (IOException closed) {
        return Optional.empty();
      }
    }

    /** Returns what happened to the directory, as a sentence without an end. */
    public String gone() {
      Path directory = path.toAbsolutePath().normalize().getParent();
      return directoryNow()
          .map(now -> "the run directory %s was moved to %s".formatted(directory, now))
          .orElse("the run directory %s was removed, and with it all results".formatted(directory));
    }
  }

  /**
   * Disk space that a run reserves for its last lines: on a full disk the file is deleted, so that
   * the journal can still record that the host was restored. Its content is random, because some
   * file systems allocate nothing for compressible data.
   */
  private static final class Reserve {
    private static final int BYTES = 64 * 1024;

    private final Path file;

    Reserve(Path runDirectory) {
      this.file = runDirectory.resolve(".reserve");
    }

    /** Reserves the space, unless it is already reserved. */
    void take() throws IOException {
      if (Files.exists(file) && Files.size(file) == BYTES) {
        return;
      }
      byte[] noise = new byte[BYTES];
      new SecureRandom().nextBytes(noise);
      WholeFile.write(file, noise);
    }

    /** Releases the space; returns whether there was any. */
    boolean release() throws IOException {
      return Files.deleteIfExists(file);
    }
  }
}
