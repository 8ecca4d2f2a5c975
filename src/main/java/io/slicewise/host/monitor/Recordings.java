package io.slicewise.host.monitor;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.monitor.XenmonLog.XenmonRow;
import io.slicewise.host.monitor.machine.ProcUse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Predicate;
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

  /**
   * Reduces complete logs without further information. Their clocks have no time of day, so their
   * time is counted from the epoch.
   */
  private static final class WholeLogs {
    private static final Duration LONGEST = Duration.ofDays(100);
    private static final String POOL = "Pool-0";

    private final HostDescription host;
    private final List<Domain> told;
    private final List<String> remarks = new ArrayList<>();

    WholeLogs(HostDescription host, List<Domain> told) {
      this.host = host;
      this.told = List.copyOf(told);
    }

    private static Window ever() {
      return new Window(Instant.EPOCH, Instant.EPOCH.plus(LONGEST));
    }

    MonitorResult xenmon(List<XenmonLog> logs) {
      TreeSet<Integer> ids = new TreeSet<>();
      logs.forEach(log -> log.rows().forEach(row -> ids.add(row.domain())));
      logs.forEach(log -> log.domain().ifPresent(ids::add));
      ids.remove(XenmonRow.IDLE);
      List<Domain> domains =
          ids.stream().map(id -> domain(known -> known.id() == id, "domain " + id, id)).toList();
      MonitorResult result =
          XenmonLogs.reduce(logs, host, Instant.EPOCH, ever(), domains, List.copyOf(remarks));
      return new MonitorResult(
          result.source(),
          result.covered(),
          result.shares(),
          result.series(),
          result.warnings().stream()
              .filter(said -> !said.startsWith("xenmon's records cover"))
              .toList());
    }

    MonitorResult xenalyze(XenalyzeSummary summary) {
      XenalyzeReduction reduction = new XenalyzeReduction(summary, Double.NaN);
      List<DomainShares> shares = new ArrayList<>();
      summary
          .domains()
          .forEach(
              (id, vcpus) -> {
                if (id < XenalyzeSummary.IDLE) {
                  Domain seen = new Domain("domain " + id, id, vcpus.size(), 0, POOL);
                  shares.add(reduction.shares(known(known -> known.id() == id).orElse(seen)));
                }
              });
      remarks.addAll(summary.damage().sentences("xenalyze's summary"));
      if (!reduction.usable()) {
        remarks.add("the length of the trace is missing: nothing is measured");
      }
      double seconds = reduction.usable() ? reduction.seconds(Double.NaN) : 0;
      return result("xenalyze", seconds, shares);
    }

    /** Reduces xentop's output; its first iteration shows zeros because there is no earlier one. */
    MonitorResult xentop(XentopBatch batch) {
      List<Map<String, Double>> iterations =
          batch
              .iterations()
              .subList(Math.min(1, batch.iterations().size()), batch.iterations().size());
      TreeSet<String> names = new TreeSet<>();
      iterations.forEach(iteration -> names.addAll(iteration.keySet()));
      List<DomainShares> shares = new ArrayList<>();
      for (String name : names) {
        Domain domain = domain(known -> known.name().equals(name), name, -1);
        OptionalDouble percent =
            iterations.stream()
                .filter(iteration -> iteration.containsKey(name))
                .mapToDouble(iteration -> iteration.get(name))
                .average();
        shares.add(
            Accounting.shares(
                domain,
                percent.orElse(Double.NaN) / 100 / domain.vcpus(),
                Double.NaN,
                List.of("xentop shows CPU use only")));
      }
      remarks.addAll(batch.damage().sentences("xentop's output"));
      return result("xentop", 0, shares);
    }

    /**
     * Reduces the counters of one machine from its own point of view: stolen time is waiting; idle
     * time, including waiting for disks, is the rest.
     */
    MonitorResult proc(ProcLog log, ProcUse use) {
      Domain machine = told.size() == 1 ? told.get(0) : new Domain("the machine", -1, 1, 0, POOL);
      Domain seen =
          new Domain(machine.name(), machine.id(), Math.max(log.cpus(), machine.vcpus()), 0, POOL);
      double stolen = use.share("steal");
      List<String> notes =
          use.cpuShares().isEmpty() || Double.isFinite(stolen)
              ? List.of()
              : List.of("this kernel does not report stolen time");
      remarks.addAll(log.damage().sentences("the recording of /proc"));
      remarks.addAll(log.wentBack());
      if (use.seconds() == 0) {
        remarks.add("there are no two consecutive snapshots: nothing is measured");
      }
      return result(
          "proc", use.seconds(), List.of(Accounting.shares(seen, use.busy(), stolen, notes)));
    }

    private MonitorResult result(String source, double seconds, List<DomainShares> shares) {
      remarks.addAll(Accounting.overCommitted(shares, host.pcpus()));
      Window covered =
          new Window(Instant.EPOCH, Instant.EPOCH.plusNanos(Math.round(seconds * 1e9)));
      return new MonitorResult(source, covered, shares, List.of(), remarks);
    }

    private Optional<Domain> known(Predicate<Domain> which) {
      return told.stream().filter(which).findFirst();
    }

    private Domain domain(Predicate<Domain> which, String name, int id) {
      return known(which)
          .orElseGet(
              () -> {
                remarks.add(name + " is assumed to have one vCPU, because the number is unknown");
                return new Domain(name, id, 1, 0, POOL);
              });
    }
  }
}
