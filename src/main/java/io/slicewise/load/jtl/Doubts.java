package io.slicewise.load.jtl;

import io.slicewise.base.units.Phrase;
import io.slicewise.load.jtl.Kinship.PartName;
import io.slicewise.load.jtl.Kinship.Roles;
import io.slicewise.load.jtl.text.CsvColumns;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Questions about a file that cannot be decided: columns are missing, or times are coarse. */
final class Doubts implements Serializable {
  private static final long serialVersionUID = 1L;

  private boolean threaded = true;
  private boolean labelled = true;
  private boolean messages = true;
  private long wholeSeconds;
  private long partsByOrder;
  private long bareByLabel;
  private long monthsFirst;
  private boolean successes = true;
  private boolean cuttable;

  /** Rows that sum up samples, and those samples. */
  private long sumRows;

  private long summed;

  /** Of them, those without a number of failed samples that can be true. */
  private long sumsUnclear;

  /** Rows that are equal to the one above, and whether the first row is repeated. */
  private long again;

  private boolean repeated;

  /** The last row that was added alone; its bytes may have been overwritten. */
  private final transient Row above = new Row();

  /** Adds the columns of some rows. */
  void columns(CsvColumns columns) {
    threaded &= columns.has(CsvColumns.THREAD);
    labelled &= columns.has(CsvColumns.LABEL);
    messages &= columns.has(CsvColumns.MESSAGE);
    successes &= columns.has(CsvColumns.SUCCESS) || columns.has(CsvColumns.ERRORS);
  }

  /** Adds a valid row. */
  void add(Row row, boolean part) {
    noteAgain(row);
    monthsFirst += row.monthFirst ? 1 : 0;
    cuttable |= row.cuttable;
    sumRows += row.count > 1 ? 1 : 0;
    summed += row.count > 1 ? row.count : 0;
    boolean fewer = row.errors == 0 && !row.success;
    sumsUnclear += row.count > 1 && (fewer || row.errors > row.count) ? 1 : 0;
    if (row.wholeSecond) {
      wholeSeconds++;
      partsByOrder += part ? 1 : 0;
      bareByLabel += row.isBare() ? 1 : 0;
    }
  }

  /** Notes a row that is equal to the one above. */
  private void noteAgain(Row row) {
    boolean same =
        row.timeStamp == above.timeStamp
            && row.elapsed == above.elapsed
            && row.elapsed > 0
            && row.received == above.received
            && equal(row, row.labelStart, row.labelEnd, above.labelStart, above.labelEnd)
            && equal(row, row.threadStart, row.threadEnd, above.threadStart, above.threadEnd);
    again += same ? 1 : 0;
    above.bytes = row.bytes;
    above.timeStamp = row.timeStamp;
    above.elapsed = row.elapsed;
    above.received = row.received;
    above.labelStart = row.labelStart;
    above.labelEnd = row.labelEnd;
    above.threadStart = row.threadStart;
    above.threadEnd = row.threadEnd;
  }

  private boolean equal(Row row, int start, int end, int otherStart, int otherEnd) {
    return Arrays.equals(row.bytes, start, end, above.bytes, otherStart, otherEnd);
  }

  /** Adds rows that are equal to the one above. */
  void again(int rows) {
    again += rows;
  }

  /** Notes whether the first row is repeated. */
  void repeated(boolean first) {
    repeated |= first;
  }

  void add(Doubts other) {
    wholeSeconds += other.wholeSeconds;
    partsByOrder += other.partsByOrder;
    bareByLabel += other.bareByLabel;
    monthsFirst += other.monthsFirst;
    threaded &= other.threaded;
    labelled &= other.labelled;
    messages &= other.messages;
    successes &= other.successes;
    cuttable |= other.cuttable;
    sumRows += other.sumRows;
    summed += other.summed;
    sumsUnclear += other.sumsUnclear;
    again += other.again;
    repeated |= other.repeated;
  }

  /** Returns a sentence for each doubt. */
  List<String> sentences(
      List<SampleSummary> labels, long rows, Optional<Roles> known, Optional<String> pauses) {
    Overlaps overlaps = known.map(Roles::overlaps).orElse(Overlaps.NONE);
    long undecided = known.map(Roles::undecided).orElse(0L);
    List<String> sentences = new ArrayList<>();
    stamps(sentences);
    pauses.ifPresent(sentences::add);
    if (again > 0 && (threaded || 3 * again > rows)) {
      sentences.add(
          Phrase.of(
              "at least %d rows equal the row above them: if samples were written twice, they count"
                  + " twice",
              again));
    }
    if (!successes) {
      sentences.add(Reduction.UNKNOWN_FAILURES);
    }
    if (sumRows > 0) {
      sentences.add(
          Phrase.of(
              "%d rows sum up %d samples (SampleCount): their single times, and so percentiles,"
                  + " deviation, smallest and largest, are unknown; each row counts at its"
                  + " timestamp, the end of its last sample",
              sumRows, summed));
    }
    if (sumsUnclear > 0) {
      sentences.add(
          Phrase.of(
              "how many samples failed in %d of these rows is unknown: ErrorCount is missing or 0 in"
                  + " a failed one, which counts as one error, or above SampleCount",
              sumsUnclear));
    }
    if (cuttable) {
      sentences.add("the last row has no line end: its last field may have been cut short");
    }
    if (repeated) {
      sentences.add(
          "the first row is repeated further down: samples of files that were joined may count"
              + " twice");
    }
    if (overlaps.count() > 0) {
      sentences.add(
          Phrase.of(
              "%d of %d requests begin before the previous one of their thread has ended: parts"
                  + " of requests may have been counted as requests",
              overlaps.count(), overlaps.requests()));
    }
    if (undecided > 0) {
      sentences.add(
          Phrase.of(
              "%d rows without message, URL and data type may be sums of transaction controllers"
                  + " or requests, as in merged files of several generators with equal thread"
                  + " names: they count as requests",
              undecided));
    }
    if (threaded || !labelled || labels.isEmpty()) {
      return sentences;
    }
    roles(labels, sentences);
    return sentences;
  }

  private void stamps(List<String> sentences) {
    if (wholeSeconds > 0) {
      sentences.add(
          "timestamps are whole seconds: the second in which a sample ended, and whether that is"
              + " inside a window, are uncertain by one second");
    }
    if (partsByOrder > 0) {
      sentences.add(
          Phrase.of(
              "%d rows are parts of the request above them by name and order, which their"
                  + " timestamps (whole seconds) cannot confirm",
              partsByOrder));
    }
    if (bareByLabel > 0) {
      sentences.add(
          Phrase.of(
              "%d rows without message, URL and data type may be sums of transaction controllers,"
                  + " which timestamps of whole seconds do not show: the total may include them",
              bareByLabel));
    }
    if (monthsFirst > 0) {
      sentences.add(
          Phrase.of(
              "%d timestamps are read as month/day/year and could be day/month/year", monthsFirst));
    }
  }

  private void roles(List<SampleSummary> labels, List<String> sentences) {
    if (!messages) {
      sentences.add(
          "sums of transaction controllers cannot be recognized without the columns"
              + " responseMessage and threadName: the total may include them");
    }
    Map<String, Long> samples = new HashMap<>();
    labels.forEach(label -> samples.put(label.label(), label.samples()));
    List<String> named =
        samples.keySet().stream()
            .filter(label -> PartName.isOne(label) && samples.containsKey(PartName.parent(label)))
            .sorted()
            .toList();
    if (!named.isEmpty()) {
      sentences.add(
          Phrase.of(
              "%d rows are named as parts of a request (%s), which cannot be checked without the"
                  + " column threadName: the total may include them",
              named.stream().mapToLong(samples::get).sum(),
              named.get(0) + (named.size() > 1 ? ", …" : "")));
    }
  }
}
