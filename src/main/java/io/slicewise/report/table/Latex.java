package io.slicewise.report.table;

import io.slicewise.base.units.Visible;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes LaTeX tables that need the package {@code booktabs}. Special characters in names are
 * escaped; entries of the best set are bold.
 */
public final class Latex {
  private Latex() {}

  /** Returns the tables, each in its own float, for {@code \\input}. */
  public static String tables(List<Table> tables) {
    return tables.stream()
        .map(Latex::table)
        .collect(Collectors.joining("\n", "% needs \\usepackage{booktabs}\n", ""));
  }

  private static String table(Table table) {
    StringBuilder text = new StringBuilder("\\begin{table}\n\\centering\n");
    text.append("\\caption{").append(escape(table.title())).append("}\n");
    text.append("\\begin{tabular}{");
    table.left().forEach(left -> text.append(left ? 'l' : 'r'));
    text.append("}\n\\toprule\n");
    text.append(row(table.headings().stream().map(Latex::escape)));
    text.append("\\midrule\n");
    table.rows().forEach(row -> text.append(row(row.stream().map(Latex::cell))));
    text.append("\\bottomrule\n\\end{tabular}\n");
    if (!table.notes().isEmpty()) {
      text.append("\\par\\smallskip\\footnotesize ");
      text.append(table.notes().stream().map(Latex::escape).collect(Collectors.joining("; ")));
      text.append('\n');
    }
    return text.append("\\end{table}\n").toString();
  }

  private static String cell(Cell cell) {
    return cell.best() ? "\\textbf{" + escape(cell.shown()) + "}" : escape(cell.shown());
  }

  private static String row(Stream<String> cells) {
    return cells.collect(Collectors.joining(" & ", "", " \\\\\n"));
  }

  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    Visible.line(text.replaceAll("[\\r\\n]+", " "))
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
