package io.slicewise.host.monitor;

import io.slicewise.host.monitor.LogLines.Damage;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The runstates printed by {@code xenalyze --summary}, in cycles. Its seconds have two decimals, so
 * count × mean cycles is used; shares are ratios of cycles and do not depend on the clock rate.
 *
 * @param seconds length of the trace as printed; NaN if that line is missing
 * @param hertz the clock rate as printed, three digits; NaN likewise
 * @param domains vCPUs by number, by domain; includes the idle domain and xenalyze's placeholder
 */
record XenalyzeSummary(
    double seconds, double hertz, Map<Integer, Map<Integer, Vcpu>> domains, Damage damage) {
  /** The idle domain's number in a trace; higher ones are placeholders. */
  static final int IDLE = 32767;

  /** Runstates as xenalyze names them. */
  enum State {
    RUNNING,
    RUNNABLE,
    BLOCKED,
    OFFLINE,
    LOST
  }

  /**
   * Cycles of one vCPU by state; without states that it never left within the trace.
   *
   * @param seenCycles from its first record to its last, 0 if not printed
   */
  record Vcpu(Map<State, Double> cycles, double seenCycles) {
    double of(State state) {
      return cycles.getOrDefault(state, 0.0);
    }

    double total() {
      return cycles.values().stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  static XenalyzeSummary read(Path file) {
    Parser parser = new Parser();
    LogLines.read(file, parser.damage, parser::line);
    return parser.summary();
  }

  static XenalyzeSummary of(String text) {
    Parser parser = new Parser();
    LogLines.read(text, parser.damage, parser::line);
    return parser.summary();
  }

  private static final class Parser {
    private static final Pattern TOTAL =
        Pattern.compile(
            "Total time: (\\d{1,9}\\.\\d+) seconds \\(using cpu speed (\\d{1,9}\\.\\d+)"
                + " ([GMK]?)Hz\\)");
    private static final Pattern DOMAIN = Pattern.compile("\\|-- Domain (\\d{1,5}) --\\|");
    private static final Pattern VCPU = Pattern.compile("-- v(\\d{1,5}) --");
    private static final Pattern STATE_NAME =
        Pattern.compile("\\s+(running|runnable|blocked|offline|lost):.*");
    private static final Pattern STATE =
        Pattern.compile(
            "\\s+(running|runnable|blocked|offline|lost):"
                + "\\s+(\\d{1,15})\\s+\\d+\\.\\d+s\\s+(\\d{1,18})(?:\\s+\\{[^{}]*\\})?\\s*");
    private static final Pattern AFFINITY =
        Pattern.compile("\\s*cpu affinity:\\s+(\\d{1,15})\\s+(\\d{1,18})(?:\\s+\\{[^{}]*\\})?\\s*");

    private final Damage damage = new Damage();
    private final Map<Integer, Map<Integer, Vcpu>> domains = new TreeMap<>();
    private double seconds = Double.NaN;
    private double hertz = Double.NaN;
    private int domain = -1;
    private int vcpu = -1;
    private boolean another;

    void line(int number, String text, boolean complete) {
      if (TOTAL.matcher(text).matches() && !Double.isNaN(seconds)) {
        // What follows is another summary of the same domains.
        another = true;
        damage.add(Damage.Kind.REPEATED_HEADER, number);
      }
      if (another) {
        return;
      }
      if (!complete) {
        damage.add(Damage.Kind.TRUNCATED, number);
      } else if (!heading(text) && vcpu >= 0) {
        time(number, text);
      }
    }

    private boolean heading(String text) {
      Matcher total = TOTAL.matcher(text);
      Matcher newDomain = DOMAIN.matcher(text);
      Matcher newVcpu = VCPU.matcher(text);
      if (total.matches()) {
        seconds = Double.parseDouble(total.group(1));
        hertz = Double.parseDouble(total.group(2)) * unit(total.group(3));
      } else if (newDomain.matches()) {
        domain = Integer.parseInt(newDomain.group(1));
        vcpu = -1;
        domains.putIfAbsent(domain, new TreeMap<>());
      } else if (newVcpu.matches() && domain >= 0) {
        vcpu = Integer.parseInt(newVcpu.group(1));
        domains.get(domain).putIfAbsent(vcpu, new Vcpu(Map.of(), 0));
      } else {
        return false;
      }
      return true;
    }

    private static double unit(String prefix) {
      return switch (prefix) {
        case "G" -> 1e9;
        case "M" -> 1e6;
        case "K" -> 1e3;
        default -> 1;
      };
    }

    private void time(int number, String text) {
      Matcher state = STATE.matcher(text);
      Matcher affinity = AFFINITY.matcher(text);
      Vcpu before = domains.get(domain).get(vcpu);
      if (state.matches()) {
        State which = State.valueOf(state.group(1).toUpperCase(Locale.ROOT));
        Map<State, Double> cycles = new EnumMap<>(State.class);
        cycles.putAll(before.cycles());
        cycles.putIfAbsent(which, product(state.group(2), state.group(3)));
        put(new Vcpu(cycles, before.seenCycles()));
      } else if (affinity.matches()) {
        put(new Vcpu(before.cycles(), product(affinity.group(1), affinity.group(2))));
      } else if (STATE_NAME.matcher(text).matches()) {
        damage.add(Damage.Kind.NOT_A_NUMBER, number);
      }
    }

    private void put(Vcpu changed) {
      domains.get(domain).put(vcpu, changed);
    }

    private static double product(String count, String meanCycles) {
      return Double.parseDouble(count) * Double.parseDouble(meanCycles);
    }

    XenalyzeSummary summary() {
      return new XenalyzeSummary(seconds, hertz, domains, damage);
    }
  }
}
