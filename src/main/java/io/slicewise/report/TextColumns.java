package io.slicewise.report;

import io.slicewise.base.units.Visible;
import java.util.ArrayList;
import java.util.List;

/** Aligns rows of text in columns, each as wide as its widest entry; each row is one line. */
public final class TextColumns {
  private static final String GAP = "  ";

  private TextColumns() {}

  /**
   * Returns one line per row.
   *
   * @param left by column, whether its entries are left-aligned
   */
  public static List<String> lines(List<List<String>> rows, List<Boolean> left) {
    return aligned(
        rows.stream().map(row -> row.stream().map(Visible::line).toList()).toList(), left);
  }

  private static List<String> aligned(List<List<String>> rows, List<Boolean> left) {
    int[] widths = new int[left.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : GAP)
            .append(left.get(i) ? row.get(i) + padding : padding + row.get(i));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
