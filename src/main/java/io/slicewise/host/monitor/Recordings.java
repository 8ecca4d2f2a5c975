package io.slicewise.host.monitor;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.monitor.LogLines.Damage;
import io.slicewise.host.monitor.XenmonLog.XenmonRow;
import io.slicewise.host.monitor.machine.ProcCounters;
import io.slicewise.host.monitor.machine.ProcSnapshot;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
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
        Domain domain =
            xentopDomain(name, batch.vcpus().getOrDefault(name, Collections.emptySortedSet()));
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

    private Domain xentopDomain(String name, SortedSet<Integer> vcpus) {
      Optional<Domain> known = known(one -> one.name().equals(name));
      if (known.isPresent() || vcpus.isEmpty()) {
        return domain(one -> one.name().equals(name), name, -1);
      }
      if (vcpus.size() > 1) {
        remarks.add(
            "%1$s had %2$d to %3$d vCPUs: its shares are of %3$d"
                .formatted(name, vcpus.first(), vcpus.last()));
      }
      return new Domain(name, -1, vcpus.last(), 0, POOL);
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
          use.cpuShares().isEmpty() || Double.isFinite(stolen) || log.counts("steal")
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

  /**
   * A recording of the kernel's counters: repeated {@code /proc/stat}, optionally followed by
   * {@code vmstat}, {@code diskstats} and {@code loadavg}. A line with the time ({@code date +%s},
   * or {@code /proc/uptime}) may precede each snapshot; otherwise the clock ticks of all CPUs
   * determine the time between two. Each line may begin with the name of its file, as in {@code
   * proc/} of a trial; lines of other files are left out then.
   *
   * @param stretches series of snapshots without a reboot in between, each in order
   * @param cpus as listed in {@code /proc/stat}; 0 if missing
   */
  public record ProcLog(List<List<ProcSnapshot>> stretches, int cpus, Damage damage) {
    static final Pattern SIGHT =
        Pattern.compile("(?:/proc/stat:)?cpu\\s+\\d+(?:\\s+\\d+){3,9}\\s*");

    public ProcLog {
      stretches = List.copyOf(stretches);
    }

    public static ProcLog read(Path file) {
      Parser parser = new Parser();
      LogLines.read(file, parser.damage, parser::line);
      return parser.log();
    }

    public static ProcLog of(String text) {
      Parser parser = new Parser();
      LogLines.read(text, parser.damage, parser::line);
      return parser.log();
    }

    public int snapshots() {
      return stretches.stream().mapToInt(List::size).sum();
    }

    /** Returns whether the kernel counts CPU time in a state of proc(5). */
    boolean counts(String state) {
      return stretches.stream()
          .flatMap(List::stream)
          .anyMatch(snapshot -> snapshot.cpuTicks().containsKey(state));
    }

    /** Describes the counters that went backwards without a reboot. */
    List<String> wentBack() {
      Set<String> names = new TreeSet<>();
      for (List<ProcSnapshot> stretch : stretches) {
        for (int i = 1; i < stretch.size(); i++) {
          ProcSnapshot before = stretch.get(i - 1);
          ProcSnapshot after = stretch.get(i);
          smaller(before.cpuTicks(), after.cpuTicks())
              .forEach(state -> names.add("CPU time in " + state));
          names.addAll(smaller(before.memory(), after.memory()));
          names.addAll(smaller(before.events(), after.events()));
          smaller(ProcUse.counters(before), ProcUse.counters(after))
              .forEach(counter -> names.add(counter.device()));
        }
      }
      return names.isEmpty()
          ? List.of()
          : List.of("went backwards, and is not measured there: " + String.join(", ", names));
    }

    private static <K> List<K> smaller(Map<K, Long> before, Map<K, Long> after) {
      return after.entrySet().stream()
          .filter(now -> now.getValue() < before.getOrDefault(now.getKey(), 0L))
          .map(Map.Entry::getKey)
          .toList();
    }

    private static final class Parser {
      /**
       * Ticks per second of the times that the kernel reports to processes, on every common
       * machine.
       */
      private static final double TICKS = 100;

      /** The most CPU time per second and CPU, allowing for errors of clocks and CPU lists. */
      private static final double MOST = 2;

      private static final Pattern BLANKS = Pattern.compile("\\s+");
      private static final Pattern NAMED =
          Pattern.compile("/proc/(?:uptime|stat|vmstat|diskstats|loadavg):");
      private static final Pattern DATE = Pattern.compile("\\d{9,10}(?:\\.\\d{1,9})?");
      private static final Pattern UPTIME = Pattern.compile("\\d{1,9}\\.\\d{2}");

      private final Damage damage = new Damage();
      private final List<Taken> taken = new ArrayList<>();
      private OptionalDouble time = OptionalDouble.empty();

      /** Whether the line before was of {@code /proc/stat}; a probe then repeats the uptime. */
      private boolean within;

      /** Whether the current lines belong to a snapshot whose start is missing. */
      private boolean headless;

      /** A snapshot being read. */
      private record Taken(int line, OptionalDouble time, ProcCounters counters) {}

      void line(int number, String whole, boolean complete) {
        Matcher named = NAMED.matcher(whole);
        boolean other = whole.startsWith("/") && !named.lookingAt();
        if (whole.isBlank() || other) {
          return;
        }
        String text = whole.startsWith("/") ? whole.substring(named.end()) : whole;
        if (!complete) {
          damage.add(Damage.Kind.TRUNCATED, number);
          return;
        }
        String[] fields = BLANKS.split(text.strip());
        boolean date = fields.length == 1 && DATE.matcher(fields[0]).matches();
        boolean uptime = fields.length == 2 && UPTIME.matcher(fields[0]).matches();
        boolean repeated = uptime && within;
        within = whole.startsWith("/proc/stat:");
        if (repeated) {
          return;
        }
        if (date || uptime) {
          time = OptionalDouble.of(Double.parseDouble(fields[0]));
        } else {
          counters(number, fields);
        }
      }

      private void counters(int number, String[] fields) {
        if (fields[0].equals("cpu")) {
          taken.add(new Taken(number, time, new ProcCounters()));
          time = OptionalDouble.empty();
          headless = false;
        }
        if (taken.isEmpty() || time.isPresent() || headless) {
          damage.add(Damage.Kind.HEADLESS, number);
          return;
        }
        try {
          headless = !taken.get(taken.size() - 1).counters().take(fields);
          if (headless) {
            damage.add(Damage.Kind.HEADLESS, number);
          }
        } catch (NumberFormatException e) {
          damage.add(Damage.Kind.NOT_A_NUMBER, number);
        } catch (ArrayIndexOutOfBoundsException e) {
          damage.add(Damage.Kind.WRONG_FIELDS, number);
        }
      }

      ProcLog log() {
        int cpus = taken.stream().mapToInt(one -> one.counters().cpus()).max().orElse(0);
        boolean timed = taken.stream().allMatch(one -> one.time().isPresent());
        List<List<ProcSnapshot>> stretches = new ArrayList<>();
        long before = Long.MAX_VALUE;
        double spentBefore = 0;
        double ownBefore = 0;
        for (Taken one : taken) {
          double spent = one.counters().ticks() / TICKS / Math.max(1, cpus);
          // In whole nanoseconds, as in snapshots, so that times they cannot distinguish are equal.
          long now = Math.round((timed ? one.time().getAsDouble() : spent) * 1e9);
          if (!(spent > 0)) {
            damage.add(Damage.Kind.HEADLESS, one.line());
            continue;
          }
          ProcSnapshot snapshot = one.counters().snapshot(Instant.EPOCH.plusNanos(now));
          // Stolen time goes back as a guest moves, and by itself shows no restart.
          double own = one.counters().ticks() - snapshot.cpuTicks().getOrDefault("steal", 0L);
          Optional<Damage.Kind> broken =
              own < ownBefore
                  ? Optional.of(Damage.Kind.WENT_BACK)
                  : broken((now - before) / 1e9, spent - spentBefore);
          broken
              .filter(kind -> !stretches.isEmpty())
              .ifPresent(kind -> damage.add(kind, one.line()));
          if (broken.isPresent()) {
            stretches.add(new ArrayList<>());
          }
          stretches.get(stretches.size() - 1).add(snapshot);
          before = now;
          spentBefore = spent;
          ownBefore = own;
        }
        return new ProcLog(stretches.stream().map(List::copyOf).toList(), cpus, damage);
      }

      /** Returns why a snapshot cannot be compared with the previous one; empty for the first. */
      private static Optional<Damage.Kind> broken(double seconds, double spent) {
        if (!(seconds > 0)) {
          return Optional.of(Damage.Kind.WENT_BACK);
        }
        return spent > MOST * seconds + 1 ? Optional.of(Damage.Kind.ABSURD) : Optional.empty();
      }
    }
  }
}
