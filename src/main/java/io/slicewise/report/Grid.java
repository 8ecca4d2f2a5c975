package io.slicewise.report;

import java.util.List;

/**
 * A table for a publication: text in every place, some of it marked.
 *
 * @param left by column, whether its entries stand to the left
 * @param notes below it
 */
record Grid(
    String caption,
    List<String> headings,
    List<Boolean> left,
    List<List<Entry>> rows,
    List<String> notes) {
  Grid {
    headings = List.copyOf(headings);
    left = List.copyOf(left);
    rows = rows.stream().map(List::copyOf).toList();
    notes = List.copyOf(notes);
  }

  /** Whether it tells how cells stand to a goal. */
  boolean isGoal() {
    return caption.startsWith("Goal ");
  }

  /**
   * What stands in one place.
   *
   * @param marked whether it belongs to the best set
   */
  record Entry(String text, boolean marked) {
    static Entry plain(String text) {
      return new Entry(text, false);
    }
  }
}
