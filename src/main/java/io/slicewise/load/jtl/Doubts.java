package io.slicewise.load.jtl;

import io.slicewise.base.units.Phrase;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** Adds the columns of some rows. */
  void columns(CsvColumns columns) {
    threaded &= columns.has(CsvColumns.THREAD);
    labelled &= columns.has(CsvColumns.LABEL);
    messages &= columns.has(CsvColumns.MESSAGE);
  }

  /** Adds a valid row. */
  void stamp(Row row, boolean part) {
    monthsFirst += row.monthFirst ? 1 : 0;
    if (row.wholeSecond) {
      wholeSeconds++;
      partsByOrder += part ? 1 : 0;
      bareByLabel += row.isBare() ? 1 : 0;
    }
  }

  void add(Doubts other) {
    wholeSeconds += other.wholeSeconds;
    partsByOrder += other.partsByOrder;
    bareByLabel += other.bareByLabel;
    monthsFirst += other.monthsFirst;
    threaded &= other.threaded;
    labelled &= other.labelled;
    messages &= other.messages;
  }

  /** Returns a sentence for each doubt. */
  List<String> sentences(List<SampleSummary> labels, Overlaps overlaps) {
    List<String> sentences = new ArrayList<>();
    stamps(sentences);
    if (overlaps.count() > 0) {
      sentences.add(
          Phrase.of(
              "%d of %d requests begin before the previous one of their thread has ended: parts of"
                  + " requests may have been counted as requests",
              overlaps.count(), overlaps.requests()));
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
          "sums of transaction controllers cannot be recognized without the columns responseMessage"
              + " and threadName: the total may include them");
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
