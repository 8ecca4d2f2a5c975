package io.slicewise.load.access;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads what is appended to a log, file by file and byte by byte: each file by its inode and the
 * offset in it, so that a renamed one is read to its end and a new one from its beginning, also
 * after a lost connection. What may be lost is reported: a file that became shorter was truncated
 * after it was copied, and nobody knows what was written in between. For use by one thread.
 */
final class LogFollower implements AutoCloseable {
  /** The bytes before the offset that must still be there when the file is read on. */
  private static final int OVERLAP = 64;

  private static final int CHUNK = 4 << 20;
  private static final int LONGEST_LINE = 1 << 20;
  private static final int FIRST_SLOT = 3;
  private static final int LAST_SLOT = 9;

  /** How long a renamed file may still be written. */
  private static final Duration QUIET = Duration.ofSeconds(30);

  private final Supplier<RemoteShell> shells;
  private final String path;
  private final Consumer<String> lines;
  private final List<Open> open = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private Optional<LogChannel> channel = Optional.empty();
  private boolean begun;

  /** When the files were seen last, in seconds of their machine's clock. */
  private long looked;

  /** An open file. */
  private static final class Open {
    final String id;
    int slot;
    long offset;
    byte[] before = new byte[0];
    byte[] rest = new byte[0];
    boolean insideLine;
    Instant grew = Instant.now();

    Open(String id, int slot, long offset) {
      this.id = id;
      this.slot = slot;
      this.offset = offset;
    }
  }

  /**
   * What a poll found.
   *
   * @param asked this machine's time before and after the machine printed its own
   * @param zone of its clock
   * @param bytes that were read
   * @param lost what cannot be known, in sentences
   */
  record Poll(
      Instant asked,
      Instant answered,
      Instant theirs,
      ZoneOffset zone,
      long bytes,
      List<String> lost) {}

  private record Entry(String id, long number, String name) {}

  /**
   * @param shells opens a connection to the log's machine
   * @param lines receives every line that is complete, without its end
   */
  LogFollower(Supplier<RemoteShell> shells, String path, Consumer<String> lines) {
    this.shells = shells;
    this.path = path;
    this.lines = lines;
  }

  /**
   * Reads everything that was written since; the first time, begins at the end of the file.
   *
   * @throws RemoteShellException if the connection is lost; the next call connects again
   * @throws SlicewiseException if the file cannot be read
   */
  Poll poll() {
    List<String> lost = new ArrayList<>();
    try {
      if (channel.isEmpty()) {
        channel = Optional.of(LogChannel.open(shells.get(), path));
        if (begun) {
          reopen(lost);
        }
      }
      return poll(channel.get(), lost);
    } catch (RemoteShellException fault) {
      disconnect();
      throw fault;
    }
  }

  private Poll poll(LogChannel asked, List<String> lost) {
    Instant before = Instant.now();
    List<String> answer = asked.lines("look");
    Instant after = Instant.now();
    if (answer.isEmpty() || !answer.get(0).matches("\\d+\\.\\d{9} [+-]\\d{4}")) {
      throw unusable(
          "does not print its time as 'date +%s.%N' does", "install coreutils or busybox there");
    }
    List<Entry> files = answer.stream().skip(1).flatMap(LogFollower::entry).toList();
    Optional<Entry> named = files.stream().filter(file -> file.name.equals(path)).findFirst();
    if (!begun) {
      begin(asked, named.orElseThrow(() -> unusable("has no file " + path, "fix its path")));
    }
    long bytes = 0;
    for (Entry file : files) {
      Optional<Open> its = open(file.name);
      bytes += its.isPresent() ? readOn(asked, its.get(), file.number, lost) : 0;
    }
    if (named.filter(file -> open.stream().noneMatch(own -> own.id.equals(file.id))).isPresent()) {
      rotated(asked, looked, lost);
    }
    closeQuiet(asked);
    String[] time = answer.get(0).split("[. ]", -1);
    looked = Long.parseLong(time[0]);
    return new Poll(
        before,
        after,
        Instant.ofEpochSecond(Long.parseLong(time[0]), Long.parseLong(time[1])),
        ZoneOffset.of(time[2]),
        bytes,
        lost);
  }

  private SlicewiseException unusable(String what, String hint) {
    return new SlicewiseException(
        ErrorKind.INPUT,
        "%s %s".formatted(channel.map(LogChannel::address).orElse("the log's machine"), what),
        hint);
  }

  /** {@code ID NUMBER NAME}. */
  private static Stream<Entry> entry(String line) {
    String[] cells = line.split(" ", 3);
    return cells.length == 3 && cells[0].matches("\\d+:\\d+") && cells[1].matches("\\d{1,18}")
        ? Stream.of(new Entry(cells[0], Long.parseLong(cells[1]), cells[2]))
        : Stream.empty();
  }

  private Optional<Open> open(String name) {
    return open.stream().filter(file -> name.equals("/proc/self/fd/" + file.slot)).findFirst();
  }

  private void begin(LogChannel asked, Entry named) {
    listed(asked).forEach(file -> known.add(file.id));
    Open file =
        opened(asked, path, named.number)
            .orElseThrow(
                () -> unusable("does not let this login read " + path, "give it the right to"));
    // A line that is half written now belongs to nobody.
    long from = Math.max(0, file.offset - OVERLAP);
    file.before = read(asked, file, from, file.offset - from);
    file.insideLine = file.before.length > 0 && file.before[file.before.length - 1] != '\n';
    begun = true;
  }

  /** Opens a file in a free slot; empty if it is not there or not readable. */
  private Optional<Open> opened(LogChannel asked, String name, long offset) {
    if (open.size() > LAST_SLOT - FIRST_SLOT) {
      close(asked, open.get(0));
    }
    int slot = FIRST_SLOT;
    while (open("/proc/self/fd/" + slot).isPresent()) {
      slot++;
    }
    List<String> answer = asked.lines("open %d %s".formatted(slot, name));
    Optional<Entry> seen = answer.stream().flatMap(line -> entry(line + " .")).findFirst();
    if (seen.isEmpty() || open.stream().anyMatch(file -> file.id.equals(seen.get().id))) {
      asked.ask("close " + slot);
      return Optional.empty();
    }
    Open file = new Open(seen.get().id, slot, Math.min(offset, seen.get().number));
    known.add(file.id);
    open.add(file);
    return Optional.of(file);
  }

  private List<Entry> listed(LogChannel asked) {
    return asked.lines("list").stream()
        .flatMap(LogFollower::entry)
        .filter(file -> !file.name.matches(".*\\.(gz|xz|bz2|zst)"))
        .sorted(Comparator.comparing(Entry::number))
        .toList();
  }

  /**
   * The name has another file: reads it, and those between that were renamed at once. A file that
   * is known and was written again since may be another one with the inode of one that was deleted.
   */
  private void rotated(LogChannel asked, long since, List<String> lost) {
    List<Entry> listed = listed(asked);
    for (Entry file : listed) {
      if (file.name.equals(path) || open.stream().anyMatch(own -> own.id.equals(file.id))) {
        continue;
      }
      if (!known.contains(file.id)) {
        readWhole(asked, file.name, lost);
      } else if (file.number >= since) {
        lost.add("%s was rotated more than once within a moment".formatted(path));
      }
    }
    known.clear();
    listed.forEach(file -> known.add(file.id));
    readWhole(asked, path, lost);
  }

  private void readWhole(LogChannel asked, String name, List<String> lost) {
    opened(asked, name, 0).ifPresent(file -> readOn(asked, file, size(asked, file), lost));
  }

  private static long size(LogChannel asked, Open file) {
    return asked.lines("look").stream()
        .skip(1)
        .flatMap(LogFollower::entry)
        .filter(entry -> entry.name.equals("/proc/self/fd/" + file.slot))
        .mapToLong(Entry::number)
        .findFirst()
        .orElse(0);
  }

  /**
   * Reads what follows the offset, with what was read last: a file may be as long as before, and
   * another. Every question costs the machine processes, so both are one.
   */
  private long readOn(LogChannel asked, Open file, long size, List<String> lost) {
    long read = 0;
    if (size < file.offset) {
      truncated(file, lost);
    }
    if (file.offset < size) {
      file.grew = Instant.now();
    }
    do {
      int overlap = file.before.length;
      long count = Math.min(size - file.offset, CHUNK);
      byte[] bytes = read(asked, file, file.offset - overlap, overlap + count);
      if (!Arrays.equals(bytes, 0, Math.min(overlap, bytes.length), file.before, 0, overlap)) {
        truncated(file, lost);
      } else if (bytes.length == overlap) {
        // Nothing is new, or it is being truncated right now; the next look shows it.
        return read;
      } else {
        take(file, Arrays.copyOfRange(bytes, overlap, bytes.length));
        read += bytes.length - overlap;
      }
    } while (file.offset < size);
    return read;
  }

  /** Whether what was read last is still there; the inode may be that of a deleted file. */
  private static boolean isSame(LogChannel asked, Open file) {
    int overlap = file.before.length;
    return Arrays.equals(read(asked, file, file.offset - overlap, overlap), file.before);
  }

  private void truncated(Open file, List<String> lost) {
    lost.add(path + " was truncated, and lines may have been lost between its copy and that");
    file.offset = 0;
    file.before = new byte[0];
    file.rest = new byte[0];
    file.insideLine = false;
  }

  private static byte[] read(LogChannel asked, Open file, long from, long count) {
    return count <= 0
        ? new byte[0]
        : asked.ask("read %d %d %d".formatted(file.slot, from + 1, count));
  }

  private void take(Open file, byte[] bytes) {
    file.offset += bytes.length;
    file.before = Arrays.copyOfRange(bytes, Math.max(0, bytes.length - OVERLAP), bytes.length);
    int begin = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        line(file, bytes, begin, i);
        begin = i + 1;
      }
    }
    if (file.rest.length + bytes.length - begin > LONGEST_LINE) {
      // Nothing that a server logs: the line is given up, and counted when it ends.
      file.rest = Arrays.copyOf(file.rest, Math.min(file.rest.length, LONGEST_LINE));
    } else {
      int old = file.rest.length;
      file.rest = Arrays.copyOf(file.rest, old + bytes.length - begin);
      System.arraycopy(bytes, begin, file.rest, old, bytes.length - begin);
    }
  }

  private void line(Open file, byte[] bytes, int from, int to) {
    if (file.insideLine) {
      file.insideLine = false;
    } else if (file.rest.length == 0) {
      lines.accept(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
    } else {
      lines.accept(
          new String(file.rest, StandardCharsets.ISO_8859_1)
              + new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
    }
    file.rest = new byte[0];
  }

  /** Closes files that were renamed, some time after their last line. */
  private void closeQuiet(LogChannel asked) {
    Instant latest = Instant.now().minus(QUIET);
    for (Open file : List.copyOf(open.subList(0, Math.max(0, open.size() - 1)))) {
      if (file.grew.isBefore(latest)) {
        close(asked, file);
      }
    }
  }

  private void close(LogChannel asked, Open file) {
    asked.ask("close " + file.slot);
    open.remove(file);
  }

  /** Opens the files again by their inodes, wherever they are now. */
  private void reopen(List<String> lost) {
    LogChannel asked = channel.orElseThrow();
    List<Entry> listed = listed(asked);
    for (Iterator<Open> each = open.iterator(); each.hasNext(); ) {
      Open file = each.next();
      Optional<Entry> there = listed.stream().filter(entry -> entry.id.equals(file.id)).findFirst();
      boolean again =
          there
              .map(entry -> asked.lines("open %d %s".formatted(file.slot, entry.name)))
              .filter(answer -> !answer.isEmpty() && answer.get(0).startsWith(file.id + " "))
              .isPresent();
      if (!again || !isSame(asked, file)) {
        lost.add(
            "the connection was lost, and the file that %s was before is gone".formatted(path));
        asked.ask("close " + file.slot);
        each.remove();
      }
    }
  }

  private void disconnect() {
    channel.ifPresent(
        asked -> {
          try {
            asked.close();
          } catch (RemoteShellException gone) {
            // There is nothing left to close.
          }
        });
    channel = Optional.empty();
  }

  @Override
  public void close() {
    disconnect();
  }
}
