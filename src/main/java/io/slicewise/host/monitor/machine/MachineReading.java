package io.slicewise.host.monitor.machine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One reading of a machine's counters: the lines of {@link ProbeCommand}, each with the name of its
 * file.
 *
 * @param boot the id of this boot; empty if missing
 * @param type of a guest of Xen; empty if missing
 * @param levels in bytes, and the load average
 * @param probeTicks CPU time of the probe since it began, in clock ticks; -1 if missing
 * @param files that have at least one line
 * @param unreadable lines that are not in the format of their file
 */
public record MachineReading(
    Uptime uptime,
    String boot,
    String type,
    int cpus,
    Counters counters,
    Map<String, Double> levels,
    long probeTicks,
    Set<String> files,
    List<String> unreadable) {

  /** Returns the reading that these lines are. */
  public static MachineReading of(List<String> lines) {
    Parser parser = new Parser();
    lines.forEach(parser::line);
    return parser.reading();
  }

  /**
   * When it was read, in seconds since boot.
   *
   * @param middle of the reading; {@code NaN} if missing
   * @param counted when the CPUs' times were read
   * @param spread that time is correct to within so many seconds
   */
  public record Uptime(double middle, double counted, double spread) {}

  /**
   * What grows from boot on.
   *
   * @param stalled microseconds of pressure, such as {@code io.some}
   * @param service of the service's control group, such as {@code cpu.user_usec}
   * @param backends by directory and file
   */
  public record Counters(
      ProcSnapshot kernel,
      Map<String, Long> network,
      Map<String, Long> stalled,
      Map<String, Long> service,
      Map<String, Map<String, Long>> backends) {
    public Counters {
      network = Map.copyOf(network);
      stalled = Map.copyOf(stalled);
      service = Map.copyOf(service);
      backends = Map.copyOf(backends);
    }
  }

  private static final class Parser {
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern TOTAL = Pattern.compile("total=(\\d{1,18})");
    private static final Pattern BACKEND =
        Pattern.compile(Pattern.quote(ProbeCommand.BACKENDS) + "(vbd-\\d+-\\d+)/statistics/(\\w+)");
    private static final Pattern GROUP = Pattern.compile(".*/(cpu|memory|io)\\.stat");
    private static final Pattern OWN = Pattern.compile("/proc/\\d+/stat");
    private static final Set<String> MEMORY =
        Set.of("MemTotal", "MemFree", "MemAvailable", "Cached", "Dirty", "Writeback");
    private static final double BYTES_A_KILOBYTE = 1024;

    /** Columns of {@code /proc/net/dev} after the name. */
    private static final Map<String, Integer> NETWORK =
        Map.of("received", 0, "receive_drops", 3, "sent", 8, "send_drops", 11);

    private final ProcCounters counters = new ProcCounters();
    private final List<Double> uptimes = new ArrayList<>();
    private final Map<String, Long> network = new HashMap<>();
    private final Map<String, Long> stalled = new HashMap<>();
    private final Map<String, Double> levels = new HashMap<>();
    private final Map<String, Long> service = new HashMap<>();
    private final Map<String, Map<String, Long>> backends = new HashMap<>();
    private final Set<String> files = new LinkedHashSet<>();
    private final List<String> unreadable = new ArrayList<>();
    private int before = -1;
    private String boot = "";
    private String type = "";
    private long probeTicks = -1;

    void line(String line) {
      int colon = line.indexOf(':');
      if (colon <= 0 || !line.startsWith("/")) {
        unreadable.add(line);
        return;
      }
      String file = line.substring(0, colon);
      String text = line.substring(colon + 1).strip();
      files.add(file);
      try {
        take(file, text);
      } catch (NumberFormatException | IndexOutOfBoundsException e) {
        unreadable.add(line);
      }
    }

    private void take(String file, String text) {
      String[] fields = BLANKS.split(text);
      switch (file) {
        case ProbeCommand.UPTIME -> uptimes.add(Double.parseDouble(fields[0]));
        case "/proc/sys/kernel/random/boot_id" -> boot = text;
        case ProbeCommand.GUEST_TYPE -> type = text;
        case "/proc/stat" -> {
          before = before < 0 ? uptimes.size() - 1 : before;
          counters.take(fields);
        }
        case "/proc/vmstat", "/proc/diskstats", "/proc/loadavg" -> counters.take(fields);
        case "/proc/pressure/cpu", "/proc/pressure/io", "/proc/pressure/memory" ->
            pressure(file.substring(file.lastIndexOf('/') + 1), fields[0], text);
        case "/proc/meminfo" -> memory(fields);
        case "/proc/net/dev" -> network(text);
        default -> others(file, fields);
      }
    }

    private void others(String file, String[] fields) {
      Matcher backend = BACKEND.matcher(file);
      Matcher group = GROUP.matcher(file);
      if (OWN.matcher(file).matches()) {
        // utime, stime, cutime and cstime of the shell, whose name has no blanks.
        probeTicks = 0;
        for (int column = 13; column <= 16; column++) {
          probeTicks += Long.parseLong(fields[column]);
        }
      } else if (backend.matches()) {
        backends
            .computeIfAbsent(backend.group(1), any -> new HashMap<>())
            .put(backend.group(2), Long.parseLong(fields[0]));
      } else if (group.matches()) {
        group(group.group(1), fields);
      }
    }

    private void pressure(String of, String kind, String text) {
      Matcher total = TOTAL.matcher(text);
      if (!total.find()) {
        throw new NumberFormatException("no total");
      }
      stalled.put(of + "." + kind, Long.parseLong(total.group(1)));
    }

    private void memory(String[] fields) {
      String name = fields[0].substring(0, fields[0].length() - 1);
      if (MEMORY.contains(name)) {
        levels.put(name, Long.parseLong(fields[1]) * BYTES_A_KILOBYTE);
      }
    }

    /** The first two lines are headings; the loopback is no network. */
    private void network(String text) {
      int colon = text.indexOf(':');
      if (colon < 0 || text.startsWith("lo:")) {
        return;
      }
      String[] numbers = BLANKS.split(text.substring(colon + 1).strip(), -1);
      NETWORK.forEach(
          (name, column) ->
              network.put(
                  "net.%s.%s".formatted(text.substring(0, colon), name),
                  Long.parseLong(numbers[column])));
    }

    /**
     * {@code io.stat} has a line for each device; all devices are added up. Most lines of {@code
     * memory.stat} are levels.
     */
    private void group(String file, String[] fields) {
      if (file.equals("io")) {
        for (int i = 1; i < fields.length; i++) {
          String[] pair = fields[i].split("=", 2);
          service.merge("io." + pair[0], Long.parseLong(pair[1]), Long::sum);
        }
      } else if (file.equals("cpu") || fields[0].startsWith("pg")) {
        service.put(file + "." + fields[0], Long.parseLong(fields[1]));
      }
    }

    MachineReading reading() {
      double first = uptimes.isEmpty() ? Double.NaN : uptimes.get(0);
      double last = uptimes.isEmpty() ? Double.NaN : uptimes.get(uptimes.size() - 1);
      double uptime = (first + last) / 2;
      double earlier = before < 0 ? first : uptimes.get(before);
      double later = before < 0 || before + 1 == uptimes.size() ? last : uptimes.get(before + 1);
      ProcSnapshot snapshot =
          counters.snapshot(
              Instant.EPOCH.plusNanos(Double.isNaN(uptime) ? 0 : Math.round(uptime * 1e9)));
      if (Double.isFinite(snapshot.loadAverage())) {
        levels.put("load_average", snapshot.loadAverage());
      }
      return new MachineReading(
          new Uptime(uptime, (earlier + later) / 2, (later - earlier) / 2),
          boot,
          type,
          counters.cpus(),
          new Counters(snapshot, network, stalled, service, backends),
          Map.copyOf(levels),
          probeTicks,
          Collections.unmodifiableSet(files),
          List.copyOf(unreadable));
    }
  }
}
