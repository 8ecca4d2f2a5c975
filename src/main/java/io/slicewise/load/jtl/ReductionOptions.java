package io.slicewise.load.jtl;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a result file is read and what counts.
 *
 * @param attribution by which moment a sample falls inside the window or not
 * @param counted what is a sample where transaction controllers summed up others
 * @param totalLabels the labels that make the total and its series; empty for all that count
 * @param columns of a CSV file without a header line, by JMeter's names; a header wins over them
 * @param zone of timestamps written as dates; none is this machine's, as JMeter writes them in its
 *     own machine's
 * @param threads at most so many; 0 lets the file's size decide
 */
public record ReductionOptions(
    Attribution attribution,
    Counted counted,
    Set<String> totalLabels,
    List<String> columns,
    Optional<ZoneId> zone,
    int threads) {

  /** The columns JMeter 5 writes unless told otherwise, in its order. */
  public static final List<String> DEFAULT_COLUMNS =
      List.of(
          "timeStamp",
          "elapsed",
          "label",
          "responseCode",
          "responseMessage",
          "threadName",
          "dataType",
          "success",
          "failureMessage",
          "bytes",
          "sentBytes",
          "grpThreads",
          "allThreads",
          "URL",
          "Latency",
          "IdleTime",
          "Connect");

  public ReductionOptions {
    totalLabels = Set.copyOf(totalLabels);
    columns = List.copyOf(columns);
    if (!columns.contains("timeStamp") || !columns.contains("elapsed")) {
      throw new IllegalArgumentException(
          "columns must name timeStamp and elapsed, but are " + String.join(",", columns));
    }
    if (threads < 0) {
      throw new IllegalArgumentException("threads must be at least 0, not " + threads);
    }
  }

  /** Samples count by their end, requests count, JMeter's default columns, this machine's zone. */
  public static ReductionOptions standard() {
    return new ReductionOptions(
        Attribution.BY_END, Counted.REQUESTS, Set.of(), DEFAULT_COLUMNS, Optional.empty(), 0);
  }

  public ReductionOptions attributed(Attribution rule) {
    return new ReductionOptions(rule, counted, totalLabels, columns, zone, threads);
  }

  public ReductionOptions counting(Counted rule) {
    return new ReductionOptions(attribution, rule, totalLabels, columns, zone, threads);
  }

  public ReductionOptions totalling(Set<String> labels) {
    return new ReductionOptions(attribution, counted, labels, columns, zone, threads);
  }

  public ReductionOptions withColumns(List<String> names) {
    return new ReductionOptions(attribution, counted, totalLabels, names, zone, threads);
  }

  public ReductionOptions inZone(ZoneId dates) {
    return new ReductionOptions(
        attribution, counted, totalLabels, columns, Optional.of(dates), threads);
  }

  public ReductionOptions onThreads(int most) {
    return new ReductionOptions(attribution, counted, totalLabels, columns, zone, most);
  }

  /** The moment that decides whether a sample lies inside the window, and in which second. */
  public enum Attribution {
    /** {@code timeStamp + elapsed}: throughput is what was finished inside the window. */
    BY_END,
    /**
     * {@code timeStamp} as written: the start of the sample or, in files written with {@code
     * sampleresult.timestamp.start=false}, its end.
     */
    BY_TIMESTAMP
  }

  /**
   * What counts as a sample. A transaction controller sums other samples up: as a row beside them,
   * or, in XML, as an element around them. In the total nothing counts both by itself and in a sum.
   */
  public enum Counted {
    /**
     * Requests, also those inside a transaction. A request's own sub-results (redirects, embedded
     * resources) are part of it and never count by themselves.
     */
    REQUESTS,
    /**
     * What transaction controllers summed up, and nothing else: for a plan known to have no
     * controller inside another. Of elements of XML the outermost counts.
     */
    TRANSACTIONS,
    /**
     * By label what transaction controllers summed up, of nested ones each. A row does not tell
     * whether another sums it up again, so that the total, and the series, is of the requests; of a
     * file that has no request inside the window, as parent samples leave it, it is of the sums.
     */
    TRANSACTIONS_BY_LABEL
  }
}
