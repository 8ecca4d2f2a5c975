package io.slicewise.report.table;

import io.slicewise.base.units.Visible;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A text table that fits the screen. Each column is as wide as its widest entry. Where the table is
 * too wide, columns with the same entry in every row become a line below it; then each row takes
 * two or three lines, with its columns below each other; and at last each row becomes text.
 */
public final class TextColumns {
  private static final String GAP = "  ";
  private static final int MOST_LINES = 3;

  private final List<List<String>> rows;
  private final List<Boolean> left;
  private final int width;

  private TextColumns(List<List<String>> rows, List<Boolean> left, int width) {
    this.rows = rows;
    this.left = left;
    this.width = width;
  }

  /** Returns the title, the rows and the notes of a table. */
  public static List<String> lines(Table table, int width) {
    List<String> lines = new ArrayList<>(Wrap.lines(table.title(), "", "  ", width));
    lines.addAll(rows(table, width));
    table.notes().forEach(note -> lines.addAll(Wrap.footnote(note, width)));
    return lines;
  }

  /** Returns the headings and the rows: names left-aligned, numbers right-aligned. */
  public static List<String> rows(Table table, int width) {
    List<List<String>> rows = new ArrayList<>(List.of(table.headings()));
    table.rows().forEach(row -> rows.add(row.stream().map(Cell::shown).toList()));
    return lines(rows, table.left(), width);
  }

  /**
   * Returns the lines of a table, none longer than {@code width} unless a single word is.
   *
   * @param rows the headings first
   * @param left by column, whether its entries are left-aligned
   */
  public static List<String> lines(List<List<String>> rows, List<Boolean> left, int width) {
    return new TextColumns(
            rows.stream().map(row -> row.stream().map(Visible::line).toList()).toList(),
            left,
            width)
        .fitting();
  }

  private List<String> fitting() {
    List<Integer> shown = new ArrayList<>(IntStream.range(0, left.size()).boxed().toList());
    List<Integer> lifted = new ArrayList<>();
    for (int column = left.size() - 1; column >= 0 && total(shown) > width; column--) {
      if (isConstant(column)) {
        shown.remove(Integer.valueOf(column));
        lifted.add(0, column);
      }
    }
    List<String> lines = new ArrayList<>(total(shown) <= width ? grid(shown, 0, 1) : folded(shown));
    if (!lifted.isEmpty()) {
      String same =
          lifted.stream()
              .map(column -> rows.get(0).get(column) + " " + rows.get(1).get(column))
              .collect(Collectors.joining(", "));
      lines.addAll(Wrap.lines("in every row: " + same, GAP, GAP + GAP, width));
    }
    return lines;
  }

  private boolean isConstant(int column) {
    return rows.size() > 2
        && rows.stream().skip(1).map(row -> row.get(column)).distinct().count() == 1;
  }

  /** Returns rows of as few lines as possible, with as many names as possible on the first. */
  private List<String> folded(List<Integer> shown) {
    for (int lines = 2; lines <= MOST_LINES; lines++) {
      for (int names = names(shown); names > 0; names--) {
        int per = perLine(shown, names, lines);
        if (per > 0 && total(widths(shown, names, per)) <= width) {
          return grid(shown, names, lines);
        }
      }
    }
    return texts(shown);
  }

  /** Returns the number of columns up to the end of the first left-aligned ones, at least one. */
  private int names(List<Integer> shown) {
    int names = 0;
    while (names < shown.size() && !left.get(shown.get(names))) {
      names++;
    }
    while (names < shown.size() && left.get(shown.get(names))) {
      names++;
    }
    return Math.max(1, Math.min(names, shown.size() - 1));
  }

  private static int perLine(List<Integer> shown, int names, int lines) {
    return (shown.size() - names + lines - 1) / lines;
  }

  /** Returns each row as a grid: its names, then its other columns in {@code lines} lines. */
  private List<String> grid(List<Integer> shown, int names, int lines) {
    int per = perLine(shown, names, lines);
    int[] widths = widths(shown, names, per);
    List<String> all = new ArrayList<>();
    for (List<String> row : rows) {
      for (int from = names; from < shown.size(); from += per) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < names; i++) {
          entry(line, from == names ? row.get(shown.get(i)) : "", shown.get(i), widths[i]);
        }
        for (int i = from; i < Math.min(from + per, shown.size()); i++) {
          entry(line, row.get(shown.get(i)), shown.get(i), widths[names + i - from]);
        }
        all.add(line.substring(GAP.length()).stripTrailing());
      }
    }
    return all;
  }

  private void entry(StringBuilder line, String text, int column, int room) {
    String padding = " ".repeat(room - text.length());
    line.append(GAP).append(left.get(column) ? text + padding : padding + text);
  }

  private int[] widths(List<Integer> shown, int names, int per) {
    int[] widths = new int[Math.min(shown.size(), names + per)];
    for (int i = 0; i < shown.size(); i++) {
      int place = i < names ? i : names + (i - names) % per;
      widths[place] = Math.max(widths[place], entryWidth(shown.get(i)));
    }
    return widths;
  }

  private int entryWidth(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private int total(List<Integer> shown) {
    return total(shown.stream().mapToInt(this::entryWidth).toArray());
  }

  private static int total(int[] widths) {
    return IntStream.of(widths).sum() + GAP.length() * Math.max(0, widths.length - 1);
  }

  /** Returns each row as its first entry, and below it the others with their headings. */
  private List<String> texts(List<Integer> shown) {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows.subList(1, rows.size())) {
      lines.addAll(Wrap.lines(row.get(shown.get(0)), "", GAP, width));
      String others =
          shown.stream()
              .skip(1)
              .filter(column -> !row.get(column).isEmpty())
              .map(column -> rows.get(0).get(column) + " " + row.get(column))
              .collect(Collectors.joining(", "));
      lines.addAll(Wrap.lines(others, GAP + GAP, GAP + GAP, width));
    }
    return lines;
  }
}
