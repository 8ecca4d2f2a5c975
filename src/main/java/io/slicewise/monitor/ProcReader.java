package io.slicewise.monitor;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads the kernel's counters of dom0 or of a guest, over whatever shell leads there. */
public final class ProcReader {
  private static final List<String> CPU_STATES =
      List.of("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final int OLD_PARTITION_FIELDS = 7;

  private final Map<String, Long> cpuTicks = new HashMap<>();
  private final Map<String, Long> events = new HashMap<>();
  private final Map<String, Long> memory = new HashMap<>();
  private final Map<String, ProcSnapshot.Disk> disks = new HashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private double loadAverage = Double.NaN;

  private ProcReader() {}

  /**
   * Reads {@code /proc/stat}, {@code vmstat}, {@code diskstats} and {@code loadavg}. A file that is
   * not there or not readable is a warning in the snapshot.
   */
  public static ProcSnapshot read(RemoteShell shell, Clock clock) {
    ProcReader reader = new ProcReader();
    Instant before = clock.instant();
    reader.take(shell, "/proc/stat", reader::stat);
    Instant at = before.plus(Duration.between(before, clock.instant()).dividedBy(2));
    reader.take(shell, "/proc/vmstat", reader::vmstat);
    reader.take(shell, "/proc/diskstats", reader::diskstats);
    reader.take(shell, "/proc/loadavg", reader::loadavg);
    return reader.snapshot(at);
  }

  /** The same from texts already at hand. */
  static ProcSnapshot of(Instant at, String stat, String vmstat, String diskstats, String load) {
    ProcReader reader = new ProcReader();
    reader.parse("/proc/stat", stat, reader::stat);
    reader.parse("/proc/vmstat", vmstat, reader::vmstat);
    reader.parse("/proc/diskstats", diskstats, reader::diskstats);
    reader.parse("/proc/loadavg", load, reader::loadavg);
    return reader.snapshot(at);
  }

  private ProcSnapshot snapshot(Instant at) {
    return new ProcSnapshot(at, cpuTicks, events, memory, disks, loadAverage, warnings);
  }

  /** Understands one line; throws {@link NumberFormatException} if it cannot. */
  private interface Line {
    void take(String[] fields);
  }

  private void take(RemoteShell shell, String file, Line line) {
    CommandResult result = shell.run(Command.reading("cat", file));
    if (result.succeeded()) {
      parse(file, result.standardOutput(), line);
    } else {
      warnings.add(file + " could not be read" + Host.said(result));
    }
  }

  private void parse(String file, String text, Line line) {
    Damage damage = new Damage();
    try (InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))) {
      LogLines.read(
          in, damage, (number, each, complete) -> parse(damage, number, each, complete, line));
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory cannot fail", e);
    }
    warnings.addAll(damage.sentences(file));
  }

  private static void parse(Damage damage, int number, String text, boolean complete, Line line) {
    if (text.isBlank()) {
      return;
    }
    if (!complete) {
      damage.add(Damage.Kind.TRUNCATED, number);
      return;
    }
    try {
      line.take(BLANKS.split(text.strip()));
    } catch (NumberFormatException e) {
      damage.add(Damage.Kind.NOT_A_NUMBER, number);
    } catch (ArrayIndexOutOfBoundsException e) {
      damage.add(Damage.Kind.WRONG_FIELDS, number);
    }
  }

  private void stat(String[] fields) {
    if (fields[0].equals("cpu")) {
      Map<String, Long> ticks = new HashMap<>();
      for (int i = 0; i < CPU_STATES.size() && i + 1 < fields.length; i++) {
        ticks.put(CPU_STATES.get(i), counter(fields[i + 1]));
      }
      cpuTicks.putAll(ticks);
    } else if (!fields[0].startsWith("cpu")) {
      // intr and softirq have a column an interrupt; the first is their sum.
      events.put(fields[0], counter(fields[1]));
    }
  }

  private void vmstat(String[] fields) {
    memory.put(fields[0], counter(fields[1]));
  }

  private void diskstats(String[] fields) {
    if (fields.length == OLD_PARTITION_FIELDS) {
      // Kernels before 2.6.25 print four numbers for a partition; its disk has them all.
      return;
    }
    disks.put(
        fields[2],
        new ProcSnapshot.Disk(
            counter(fields[3]),
            counter(fields[5]),
            counter(fields[7]),
            counter(fields[9]),
            counter(fields[12])));
  }

  private void loadavg(String[] fields) {
    double load = Double.parseDouble(fields[0]);
    if (!(load >= 0 && load < Double.POSITIVE_INFINITY)) {
      throw new NumberFormatException("a load average is never " + fields[0]);
    }
    loadAverage = load;
  }

  private static long counter(String text) {
    long count = Long.parseLong(text);
    if (count < 0) {
      throw new NumberFormatException("a counter is never " + text);
    }
    return count;
  }
}
