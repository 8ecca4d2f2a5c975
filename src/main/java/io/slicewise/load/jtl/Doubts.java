package io.slicewise.load.jtl;

import io.slicewise.base.units.Phrase;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Questions about a CSV file that cannot be decided because columns are missing. */
final class Doubts implements Serializable {
  private static final long serialVersionUID = 1L;

  private boolean threaded = true;
  private boolean labelled = true;
  private boolean messages = true;

  /** Adds the columns of some rows. */
  void columns(CsvColumns columns) {
    threaded &= columns.has(CsvColumns.THREAD);
    labelled &= columns.has(CsvColumns.LABEL);
    messages &= columns.has(CsvColumns.MESSAGE);
  }

  void add(Doubts other) {
    threaded &= other.threaded;
    labelled &= other.labelled;
    messages &= other.messages;
  }

  /** Returns a sentence for each doubt. */
  List<String> sentences(List<SampleSummary> labels) {
    List<String> sentences = new ArrayList<>();
    if (threaded || !labelled || labels.isEmpty()) {
      return sentences;
    }
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
    return sentences;
  }
}
