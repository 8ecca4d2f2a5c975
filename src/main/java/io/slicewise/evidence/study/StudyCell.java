package io.slicewise.evidence.study;

import java.util.Map;
import java.util.TreeMap;

/**
 * The counters of one case on one tier, per execution: from a trial of a run, or a row of a
 * published table.
 *
 * @param of the case: an experiment or arm, a query, a server, a number of neighbours
 * @param tier {@code base}, {@code xen} for a guest, {@code dom0}, {@code actual} for the amount
 *     needed
 * @param values by metric; times in seconds
 */
public record StudyCell(Map<String, String> of, String tier, Map<String, Double> values) {
  public StudyCell {
    of = new TreeMap<>(of);
    values = new TreeMap<>(values);
  }

  /** The value of a metric; {@code NaN} if it was not measured. */
  public double value(String metric) {
    return values.getOrDefault(metric, Double.NaN);
  }

  /** Whether all of these were measured. */
  public boolean has(String... metrics) {
    for (String metric : metrics) {
      if (Double.isNaN(value(metric))) {
        return false;
      }
    }
    return true;
  }
}
