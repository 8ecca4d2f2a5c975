package io.slicewise.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes LaTeX tables that need the package {@code booktabs}. Special characters in names are
 * escaped; marked entries are bold.
 */
final class Latex {
  private Latex() {}

  /** Returns the tables, each in its own float, for {@code \\input}. */
  static String tables(List<Grid> grids) {
    return grids.stream()
        .map(Latex::table)
        .collect(Collectors.joining("\n", "% needs \\usepackage{booktabs}\n", ""));
  }

  private static String table(Grid grid) {
    StringBuilder text = new StringBuilder("\\begin{table}\n\\centering\n");
    text.append("\\caption{").append(escape(grid.caption())).append("}\n");
    text.append("\\begin{tabular}{");
    grid.left().forEach(left -> text.append(left ? 'l' : 'r'));
    text.append("}\n\\toprule\n");
    text.append(row(grid.headings().stream().map(Grid.Entry::plain).toList()));
    text.append("\\midrule\n");
    grid.rows().forEach(row -> text.append(row(row)));
    text.append("\\bottomrule\n\\end{tabular}\n");
    if (!grid.notes().isEmpty()) {
      text.append("\\par\\smallskip\\footnotesize ");
      text.append(grid.notes().stream().map(Latex::escape).collect(Collectors.joining("; ")));
      text.append('\n');
    }
    return text.append("\\end{table}\n").toString();
  }

  private static String row(List<Grid.Entry> entries) {
    return entries.stream()
        .map(
            entry ->
                entry.marked() ? "\\textbf{" + escape(entry.text()) + "}" : escape(entry.text()))
        .collect(Collectors.joining(" & ", "", " \\\\\n"));
  }

  static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    text.replaceAll("[\\r\\n]+", " ")
        .codePoints()
        .forEach(
            c ->
                escaped.append(
                    switch (c) {
                      case '\\' -> "\\textbackslash{}";
                      case '~' -> "\\textasciitilde{}";
                      case '^' -> "\\textasciicircum{}";
                      case '<' -> "\\textless{}";
                      case '>' -> "\\textgreater{}";
                      case '|' -> "\\textbar{}";
                      case 34 -> "''";
                      case '`' -> "\\textasciigrave{}";
                      case '&', '%', '$', '#', '_', '{', '}' -> "\\" + (char) c;
                      case '±' -> "$\\pm$";
                      case '–' -> "--";
                      default -> Character.toString(c);
                    }));
    return escaped.toString();
  }
}
