package io.slicewise.load.jtl;

import java.io.Serializable;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/** The transaction sums of a file: their number and their labels. */
final class Sums implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int mostLabels;
  private final Set<String> labels = new HashSet<>();
  private long count;

  /**
   * @param mostLabels maximum number of labels
   */
  Sums(int mostLabels) {
    this.mostLabels = mostLabels;
  }

  void add(Supplier<String> label) {
    count++;
    if (labels.size() < mostLabels) {
      labels.add(label.get());
    }
  }

  void add(Sums later) {
    count += later.count;
    labels.addAll(later.labels);
  }

  long count() {
    return count;
  }

  /** Whether there are too few requests for these sums, which need one request per label. */
  boolean outnumber(long requests) {
    return count > requests * Math.max(1, labels.size());
  }
}
