package io.slicewise.lab.virsh;

import java.util.ArrayList;
import java.util.List;

/** A table as virsh prints it: each column is as wide as its widest cell. */
final class VshTable {
  private static final int BETWEEN = 3;

  private final List<List<String>> rows = new ArrayList<>();

  VshTable(String... header) {
    rows.add(List.of(header));
  }

  void add(String... cells) {
    rows.add(List.of(cells));
  }

  String text() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], width(row.get(column)));
      }
    }
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < columns; column++) {
        String cell = rows.get(row).get(column);
        text.append(' ').append(cell);
        if (column < columns - 1) {
          text.append(" ".repeat(widths[column] - width(cell) + BETWEEN - 1));
        }
      }
      text.append('\n');
      if (row == 0) {
        for (int width : widths) {
          text.append("-".repeat(width + BETWEEN));
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
