package io.slicewise.host.monitor;

import io.slicewise.host.monitor.XenmonLog.XenmonRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The rows of a xenmon run sorted into its passes over all pCPUs, one pass per interval.
 *
 * <p>Stamps of one pass differ a little from pCPU to pCPU, and a domain that used no CPU has no
 * row, so neither equality nor counting works. The stamps of all logs together fall into clusters
 * an interval apart. A row of pCPU 0 has the stamp of the previous pass, except in the first pass
 * where it is zero; that is detected, not assumed.
 *
 * @param intervalMillis the usual time between passes
 * @param endMillis when each pass was taken, in xenmon's own milliseconds; index = pass
 * @param rows rows by domain, then by pass
 * @param unknown passes by domain in which a row may have been lost to damage
 */
record XenmonPasses(
    double intervalMillis,
    List<Double> endMillis,
    Map<Integer, Map<Integer, List<XenmonRow>>> rows,
    Map<Integer, Set<Integer>> unknown) {
  private static final double DEFAULT_INTERVAL_MILLIS = 1000;

  static XenmonPasses of(List<XenmonLog> logs) {
    return new Sorter(logs).sorted();
  }

  int count() {
    return endMillis.size();
  }

  /**
   * Returns the start of a pass's rows: xenmon looks back one interval, not over a longer pause.
   */
  double startMillis(int pass) {
    double before = pass == 0 ? Double.NEGATIVE_INFINITY : endMillis.get(pass - 1);
    return Math.max(before, endMillis.get(pass) - 1.5 * intervalMillis);
  }

  List<XenmonRow> rowsOf(int domain, int pass) {
    return rows.getOrDefault(domain, Map.of()).getOrDefault(pass, List.of());
  }

  boolean known(int domain, int pass) {
    return !unknown.getOrDefault(domain, Set.of()).contains(pass);
  }

  private static final class Sorter {
    private final List<XenmonLog> logs;
    private final double interval;
    private final double[] clusterEnds;
    private final boolean firstPcpuLags;

    Sorter(List<XenmonLog> logs) {
      this.logs = logs;
      this.interval = usualStep();
      this.clusterEnds = clusterEnds();
      this.firstPcpuLags = firstPcpuLags();
    }

    private double usualStep() {
      List<Double> steps = new ArrayList<>();
      for (XenmonLog log : logs) {
        Map<Integer, Double> before = new HashMap<>();
        for (XenmonRow row : log.rows()) {
          Double last = before.put(row.pcpu(), row.passedMillis());
          if (last != null && row.passedMillis() > last) {
            steps.add(row.passedMillis() - last);
          }
        }
      }
      steps.sort(null);
      return steps.isEmpty() ? DEFAULT_INTERVAL_MILLIS : steps.get(steps.size() / 2);
    }

    private double[] clusterEnds() {
      double[] stamps =
          logs.stream()
              .flatMap(log -> log.rows().stream())
              .mapToDouble(XenmonRow::passedMillis)
              .sorted()
              .toArray();
      return IntStream.range(0, stamps.length)
          .filter(i -> i + 1 == stamps.length || stamps[i + 1] - stamps[i] > interval / 2)
          .mapToDouble(i -> stamps[i])
          .toArray();
    }

    private int cluster(XenmonRow row) {
      int low = 0;
      int high = clusterEnds.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (clusterEnds[middle] < row.passedMillis()) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** Returns whether pCPU 0 appears twice in the first cluster: in the first and second pass. */
    private boolean firstPcpuLags() {
      for (XenmonLog log : logs) {
        List<XenmonRow> early =
            log.rows().stream().filter(row -> row.pcpu() == 0 && cluster(row) == 0).toList();
        if (early.size() > 1 || (early.size() == 1 && early.get(0).passedMillis() > 0)) {
          return true;
        }
      }
      return false;
    }

    XenmonPasses sorted() {
      Map<Integer, Map<Integer, List<XenmonRow>>> rows = new TreeMap<>();
      List<NavigableMap<Integer, Integer>> passOfLine = new ArrayList<>();
      int last = clusterEnds.length - 1;
      for (XenmonLog log : logs) {
        NavigableMap<Integer, Integer> passes = passOfLine(log);
        passOfLine.add(passes);
        for (XenmonRow row : log.rows()) {
          int pass = passes.get(row.line());
          last = Math.max(last, pass);
          rows.computeIfAbsent(row.domain(), d -> new TreeMap<>())
              .computeIfAbsent(pass, p -> new ArrayList<>())
              .add(row);
        }
      }
      Map<Integer, Set<Integer>> unknown = new HashMap<>();
      for (int i = 0; i < logs.size(); i++) {
        Set<Integer> hit = passesHit(logs.get(i).damagedLines(), passOfLine.get(i), last);
        logs.get(i)
            .domain()
            .ifPresent(d -> unknown.computeIfAbsent(d, x -> new HashSet<>()).addAll(hit));
      }
      return new XenmonPasses(interval, passEnds(last), rows, unknown);
    }

    private NavigableMap<Integer, Integer> passOfLine(XenmonLog log) {
      NavigableMap<Integer, Integer> passes = new TreeMap<>();
      boolean first = true;
      for (XenmonRow row : log.rows()) {
        boolean late = firstPcpuLags && row.pcpu() == 0 && !(first && row.passedMillis() == 0);
        passes.put(row.line(), cluster(row) + (late ? 1 : 0));
        first &= row.pcpu() != 0;
      }
      return passes;
    }

    /**
     * Returns the passes to which a lost line may have belonged: from the row before it to the row
     * after it.
     */
    private static Set<Integer> passesHit(
        List<Integer> damagedLines, NavigableMap<Integer, Integer> passOfLine, int last) {
      Set<Integer> hit = new HashSet<>();
      int done = -1;
      for (int line : damagedLines) {
        Map.Entry<Integer, Integer> before = passOfLine.floorEntry(line);
        Map.Entry<Integer, Integer> after = passOfLine.ceilingEntry(line);
        int to = after == null ? last : after.getValue();
        for (int pass = Math.max(done, before == null ? 0 : before.getValue());
            pass <= to;
            pass++) {
          hit.add(pass);
        }
        done = to;
      }
      return hit;
    }

    private List<Double> passEnds(int last) {
      List<Double> ends = new ArrayList<>();
      for (int pass = 0; pass <= last; pass++) {
        ends.add(pass < clusterEnds.length ? clusterEnds[pass] : ends.get(pass - 1) + interval);
      }
      return ends;
    }
  }
}
