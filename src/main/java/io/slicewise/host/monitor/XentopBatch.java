package io.slicewise.host.monitor;

import io.slicewise.host.monitor.LogLines.Damage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of {@code xentop -b}: CPU use by domain in each iteration.
 *
 * @param iterations CPU use in percent of one pCPU, summed over vCPUs, by name as printed (cut to
 *     ten characters without {@code -f}); the first iteration shows zeros because there is no
 *     earlier one
 * @param vcpus the numbers of vCPUs that each domain had, by name
 */
record XentopBatch(
    List<Map<String, Double>> iterations, Map<String, SortedSet<Integer>> vcpus, Damage damage) {
  XentopBatch {
    iterations = List.copyOf(iterations);
  }

  static XentopBatch read(Path file) {
    Parser parser = new Parser();
    LogLines.read(file, parser.damage, parser::line);
    return parser.batch();
  }

  static XentopBatch of(String text) {
    Parser parser = new Parser();
    LogLines.read(text, parser.damage, parser::line);
    return parser.batch();
  }

  private static final class Parser {
    private static final Pattern HEADER = Pattern.compile("\\s*NAME\\s+STATE\\s+CPU\\(sec\\).*");

    /**
     * Name (may contain spaces), state letters in the order dsbcpr, whole seconds, percent, rest.
     */
    private static final Pattern ROW =
        Pattern.compile(
            "\\s*(\\S.*?)\\s+[-d][-s][-b][-c][-p][-r]\\s+(\\d{1,12})\\s+(\\d{1,9}(?:\\.\\d+)?)\\s+\\d+\\s.*\\d\\s*");

    /** Several times the length that xentop prints; matching a row may take quadratic time. */
    private static final int LONGEST_LINE = 2000;

    private static final double LARGEST_PERCENT = 100.0 * 4096;

    private final Damage damage = new Damage();
    private final List<Map<String, Double>> iterations = new ArrayList<>();

    /** CPU seconds of the current iteration, and of earlier ones, by domain. */
    private final Map<String, Long> seconds = new HashMap<>();

    private final Map<String, Long> before = new HashMap<>();
    private final Map<String, SortedSet<Integer>> vcpus = new HashMap<>();
    private int header;

    /** The place of the column VCPUS, counted from the right; 0 if it is missing. */
    private int fromRight;

    void line(int number, String text, boolean complete) {
      Matcher row = ROW.matcher(text);
      if (text.length() > LONGEST_LINE) {
        damage.add(Damage.Kind.TOO_LONG, number);
      } else if (HEADER.matcher(text).matches()) {
        leaveFirstOfAnother();
        iterations.add(new LinkedHashMap<>());
        header = number;
        List<String> columns = List.of(text.strip().split("\\s+"));
        fromRight = columns.contains("VCPUS") ? columns.size() - columns.indexOf("VCPUS") : 0;
      } else if (!complete) {
        damage.add(Damage.Kind.TRUNCATED, number);
      } else if (!row.matches()) {
        if (!text.isBlank() && !vcpuLine(text)) {
          damage.add(Damage.Kind.WRONG_FIELDS, number);
        }
      } else {
        seconds.put(row.group(1), Long.valueOf(row.group(2)));
        add(number, row.group(1), Double.parseDouble(row.group(3)));
        count(row.group(1), text.strip().split("\\s+"));
      }
    }

    /**
     * Ignores xentop's first iteration, which shows zeros, also that of an appended run, which is
     * recognized by CPU seconds that grew meanwhile.
     */
    private void leaveFirstOfAnother() {
      boolean grew =
          seconds.entrySet().stream()
              .anyMatch(now -> now.getValue() > before.getOrDefault(now.getKey(), now.getValue()));
      if (iterations.size() > 1 && grew && last().values().stream().allMatch(zero -> zero == 0)) {
        iterations.remove(iterations.size() - 1);
        damage.add(Damage.Kind.REPEATED_HEADER, header);
      }
      before.putAll(seconds);
      seconds.clear();
    }

    private Map<String, Double> last() {
      return iterations.get(iterations.size() - 1);
    }

    XentopBatch batch() {
      leaveFirstOfAnother();
      return new XentopBatch(iterations, vcpus, damage);
    }

    private static boolean vcpuLine(String text) {
      return text.startsWith("VCPUs(sec):") || text.matches("\\s+\\d+:\\s+\\d+s.*");
    }

    private void count(String name, String[] fields) {
      String count = fromRight > 0 ? fields[Math.max(0, fields.length - fromRight)] : "";
      if (count.matches("[1-9]\\d{0,3}")) {
        vcpus.computeIfAbsent(name, any -> new TreeSet<>()).add(Integer.valueOf(count));
      }
    }

    private void add(int number, String name, double percent) {
      if (iterations.isEmpty() || percent > LARGEST_PERCENT) {
        damage.add(Damage.Kind.ABSURD, number);
      } else {
        last().put(name, percent);
      }
    }
  }
}
