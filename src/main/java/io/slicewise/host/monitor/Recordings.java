package io.slicewise.host.monitor;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.monitor.machine.ProcUse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Reduces logs of earlier monitors like those of a watch. */
public final class Recordings {
  private static final int HEAD = 8192;
  private static final Pattern XENMON_ROW =
      Pattern.compile("(?:[-+.0-9eE]+\\s+){15}[-+.0-9eE]+\\s*");

  private Recordings() {}

  /** The monitors whose logs are recognized. */
  public enum Source {
    XENMON(Pattern.compile("# passed cpu dom .*")),
    XENALYZE(Pattern.compile("Total time: .*|\\|-- Domain \\d{1,5} --\\|.*")),
    XENTOP(Pattern.compile("\\s*NAME\\s+STATE\\s+CPU\\(sec\\).*")),
    PROC(ProcLog.SIGHT);

    private final Pattern line;

    Source(Pattern line) {
      this.line = line;
    }
  }

  /**
   * Returns the monitor that wrote a file, by its first lines; empty if none did.
   *
   * @throws SlicewiseException if the file cannot be read
   */
  public static Optional<Source> source(Path file) {
    List<String> lines = head(file).lines().limit(200).toList();
    for (Source source : Source.values()) {
      if (lines.stream().anyMatch(line -> source.line.matcher(line).matches())) {
        return Optional.of(source);
      }
    }
    boolean rows = lines.stream().anyMatch(line -> XENMON_ROW.matcher(line).matches());
    return rows ? Optional.of(Source.XENMON) : Optional.empty();
  }

  private static String head(Path file) {
    try (InputStream raw = opened(file)) {
      byte[] head = raw.readNBytes(HEAD);
      boolean packed = head.length > 1 && head[0] == 0x1f && head[1] == (byte) 0x8b;
      return new String(packed ? unpacked(file) : head, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw FileFault.unreadable(file, e);
    }
  }

  private static InputStream opened(Path file) throws IOException {
    InputFile.requireRegular(file);
    return Files.newInputStream(file);
  }

  /**
   * Returns the content as far as it can be unpacked; a damaged gzip is reported by its full
   * reader.
   */
  private static byte[] unpacked(Path file) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      for (int b = in.read(); b >= 0 && head.size() < HEAD; b = in.read()) {
        head.write(b);
      }
    } catch (IOException broken) {
      return head.toByteArray();
    }
    return head.toByteArray();
  }

  /**
   * Reduces the logs of one xenmon run in a window, one file per domain.
   *
   * @param zero when xenmon's clock was at 0
   * @param domains with the ids of the logs; shares refer to their vCPUs
   * @param remarks remarks to put before those of the result
   */
  public static MonitorResult xenmon(
      List<Path> files,
      HostDescription host,
      Instant zero,
      Window window,
      List<Domain> domains,
      List<String> remarks) {
    List<XenmonLog> logs = files.stream().map(XenmonLog::read).toList();
    return XenmonLogs.reduce(logs, host, zero, window, domains, remarks);
  }

  /**
   * The result of complete logs.
   *
   * @param use further counters of the kernel; only for {@code /proc}
   */
  public record Whole(MonitorResult result, Optional<ProcUse> use) {}

  /**
   * Reduces complete logs of one source, from their first record to their last: the files of one
   * xenmon run together, one summary of xenalyze, one output of {@code xentop -b}, or one recording
   * of {@code /proc}.
   *
   * @param host determines how its logs are read; 0 pCPUs means unknown
   * @param told the known domains; others are named after their id, with one vCPU if the log does
   *     not contain the number
   */
  public static Whole whole(
      Source source, List<Path> files, HostDescription host, List<Domain> told) {
    WholeLogs logs = new WholeLogs(host, told);
    return switch (source) {
      case XENMON -> shares(logs.xenmon(files.stream().map(XenmonLog::read).toList()));
      case XENALYZE -> shares(logs.xenalyze(XenalyzeSummary.read(files.get(0))));
      case XENTOP -> shares(logs.xentop(XentopBatch.read(files.get(0))));
      case PROC -> {
        ProcLog log = ProcLog.read(files.get(0));
        ProcUse use = ProcUse.over(log.stretches());
        yield new Whole(logs.proc(log, use), Optional.of(use));
      }
    };
  }

  private static Whole shares(MonitorResult result) {
    return new Whole(result, Optional.empty());
  }
}
