package io.slicewise.host.monitor;

import io.slicewise.host.monitor.machine.ProcCounters;
import io.slicewise.host.monitor.machine.ProcSnapshot;
import io.slicewise.host.monitor.machine.ProcUse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A recording of the kernel's counters: repeated {@code /proc/stat}, optionally followed by {@code
 * vmstat}, {@code diskstats} and {@code loadavg}. A line with the time ({@code date +%s}, or {@code
 * /proc/uptime}) may precede each snapshot; otherwise the clock ticks of all CPUs determine the
 * time between two. Each line may begin with the name of its file, as in {@code proc/} of a trial;
 * lines of other files are left out then.
 *
 * @param stretches series of snapshots without a reboot in between, each in order
 * @param cpus as listed in {@code /proc/stat}; 0 if missing
 */
public record ProcLog(List<List<ProcSnapshot>> stretches, int cpus, Damage damage) {
  static final Pattern SIGHT = Pattern.compile("(?:/proc/stat:)?cpu\\s+\\d+(?:\\s+\\d+){3,9}\\s*");

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

  /** Describes the counters that went backwards without a reboot. */
  List<String> wentBack() {
    Set<String> names = new TreeSet<>();
    for (List<ProcSnapshot> stretch : stretches) {
      for (int i = 1; i < stretch.size(); i++) {
        ProcSnapshot before = stretch.get(i - 1);
        ProcSnapshot after = stretch.get(i);
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
     * Ticks per second of the times that the kernel reports to processes, on every common machine.
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
      for (Taken one : taken) {
        double spent = one.counters().ticks() / TICKS / Math.max(1, cpus);
        // In whole nanoseconds, as in snapshots, so that times they cannot distinguish are equal.
        long now = Math.round((timed ? one.time().getAsDouble() : spent) * 1e9);
        if (!(spent > 0)) {
          damage.add(Damage.Kind.HEADLESS, one.line());
          continue;
        }
        Optional<Damage.Kind> broken = broken((now - before) / 1e9, spent - spentBefore);
        broken.filter(kind -> !stretches.isEmpty()).ifPresent(kind -> damage.add(kind, one.line()));
        if (broken.isPresent()) {
          stretches.add(new ArrayList<>());
        }
        stretches
            .get(stretches.size() - 1)
            .add(one.counters().snapshot(Instant.EPOCH.plusNanos(now)));
        before = now;
        spentBefore = spent;
      }
      return new ProcLog(stretches.stream().map(List::copyOf).toList(), cpus, damage);
    }

    /** Returns why a snapshot cannot be compared with the previous one; empty for the first. */
    private static Optional<Damage.Kind> broken(double seconds, double spent) {
      if (!(seconds > 0) || spent < 0) {
        return Optional.of(Damage.Kind.WENT_BACK);
      }
      return spent > MOST * seconds + 1 ? Optional.of(Damage.Kind.ABSURD) : Optional.empty();
    }
  }
}
