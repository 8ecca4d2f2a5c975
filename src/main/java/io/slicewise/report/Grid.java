package io.slicewise.report;

import java.util.List;

/**
 * A table for a publication: text cells, some of them marked.
 *
 * @param left by column, whether its entries are left-aligned
 * @param notes below the table
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

  /** Whether the table shows a goal. */
  boolean isGoal() {
    return caption.startsWith("Goal ");
  }

  /**
   * A cell.
   *
   * @param marked whether it belongs to the best set
   */
  record Entry(String text, boolean marked) {
    static Entry plain(String text) {
      return new Entry(text, false);
    }
  }
}
