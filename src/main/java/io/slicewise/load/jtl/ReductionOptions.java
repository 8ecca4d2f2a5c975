package io.slicewise.load.jtl;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a result file is read and which samples count.
 *
 * @param attribution which time decides whether a sample is inside the window
 * @param counted what counts as a sample if there are transaction controllers
 * @param totalLabels the labels that make the total and its series; empty for all
 * @param columns of a CSV file without a header line, by JMeter's names; a header takes precedence
 * @param zone of timestamps written as dates; by default this machine's
 * @param threads the maximum number; 0 to choose by file size
 */
public record ReductionOptions(
    Attribution attribution,
    Counted counted,
    Set<String> totalLabels,
    List<String> columns,
    Optional<ZoneId> zone,
    int threads) {

  /** The columns that JMeter 5 writes by default, in its order. */
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
          "columns must include timeStamp and elapsed, but are " + String.join(",", columns));
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

  /** The time that decides whether a sample is inside the window, and in which second. */
  public enum Attribution {
    /** {@code timeStamp + elapsed}: throughput counts what finished inside the window. */
    BY_END,
    /**
     * {@code timeStamp} as written: the start of the sample or, in files written with {@code
     * sampleresult.timestamp.start=false}, its end.
     */
    BY_TIMESTAMP
  }

  /**
   * What counts as a sample. A transaction controller sums up other samples: as an additional row
   * or, in XML, as an element around them. In the total, nothing counts both separately and in a
   * sum.
   */
  public enum Counted {
    /**
     * Requests, including those inside a transaction. A request's sub-results (redirects, embedded
     * resources) are part of it and never count separately.
     */
    REQUESTS,
    /**
     * Only the sums of transaction controllers, for a plan without nested controllers. In XML, the
     * outermost element counts.
     */
    TRANSACTIONS,
    /**
     * The sums of transaction controllers by label, including nested ones. A row does not show
     * whether another row includes it, so the total and the series are of the requests; in a file
     * without requests inside the window, as written with parent samples, they are of the sums.
     */
    TRANSACTIONS_BY_LABEL
  }
}
