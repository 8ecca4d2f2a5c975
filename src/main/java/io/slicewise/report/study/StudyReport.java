package io.slicewise.report.study;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.report.figure.Figure;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.report.table.Latex;
import io.slicewise.report.table.Markdown;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.report.table.TextColumns;
import io.slicewise.report.table.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of a study in all formats. */
public final class StudyReport {
  private final String title;
  private final List<Table> tables;
  private final List<String> notes;
  private final List<Figure> figures;
  private final boolean chosen;

  /** Tables of so many rows that a screen only names them. */
  private static final Set<String> DETAILS = Set.of("intervals", "boxes");

  private StudyReport(
      String title, List<Table> tables, List<String> notes, List<Figure> figures, boolean chosen) {
    this.title = title;
    this.tables = tables.stream().filter(table -> !table.rows().isEmpty()).toList();
    this.notes = List.copyOf(notes);
    this.figures = List.copyOf(figures);
    this.chosen = chosen;
  }

  /**
   * @param title on the first line
   * @param notes below all tables
   */
  public StudyReport(String title, List<Table> tables, List<String> notes) {
    this(title, tables, notes, List.of(), false);
  }

  /** Returns the report with figures. */
  public StudyReport with(List<Figure> drawn) {
    return new StudyReport(title, tables, notes, drawn, chosen);
  }

  /**
   * Returns a figure as a file's text.
   *
   * @throws SlicewiseException if there is none of that name
   */
  public String svg(String name) {
    return figures.stream()
        .filter(figure -> figure.name().equals(name))
        .findFirst()
        .map(Figure::svg)
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "this study has no figure '%s'".formatted(name),
                    figures.isEmpty()
                        ? "it has none: they need counters, or repetitions"
                        : figures.stream()
                            .map(Figure::name)
                            .collect(Collectors.joining(", ", "it has: ", ""))));
  }

  /**
   * Returns the report with one of its tables.
   *
   * @throws SlicewiseException if it has none of that name
   */
  public StudyReport only(Optional<String> name) {
    if (name.isEmpty()) {
      return this;
    }
    List<Table> one = tables.stream().filter(table -> table.name().equals(name.get())).toList();
    if (one.isEmpty()) {
      throw SlicewiseException.input(
          "this study has no table '%s'".formatted(name.get()),
          tables.stream().map(Table::name).collect(Collectors.joining(", ", "it has: ", "")));
    }
    return new StudyReport(title, one, notes, figures, true);
  }

  /** Returns lines for a terminal of that width. */
  public List<String> text(int width) {
    List<String> lines = new ArrayList<>(Wrap.lines(title, "", "  ", width));
    for (Table table : tables) {
      lines.add("");
      lines.addAll(
          !chosen && DETAILS.contains(table.name())
              ? Wrap.lines(
                  "%s: %d rows, printed by --table %s"
                      .formatted(table.title(), table.rows().size(), table.name()),
                  "",
                  "  ",
                  width)
              : TextColumns.lines(table, width));
    }
    lines.add("");
    notes.forEach(note -> lines.addAll(Wrap.footnote(note, width)));
    return lines;
  }

  public String markdown() {
    StringBuilder text = new StringBuilder("# " + Markdown.escape(title) + "\n\n");
    tables.forEach(table -> text.append(Markdown.section(table)));
    return text.append(Markdown.list(notes)).toString();
  }

  /** Returns LaTeX. */
  public String latex() {
    return Latex.tables(tables);
  }

  /**
   * Returns CSV (RFC 4180) in full precision: a chosen table with its own columns; otherwise one
   * line per value, with the table, the names of its row and the field.
   */
  public String csv() {
    if (chosen) {
      return CsvTable.text(tables.get(0));
    }
    List<Column> columns =
        List.of(
            Column.name("table"), Column.name("row"), Column.name("field"), Column.name("value"));
    List<List<Cell>> rows = tables.stream().flatMap(StudyReport::values).toList();
    return CsvTable.text(new Table("study", "", columns, rows));
  }

  private static Stream<List<Cell>> values(Table table) {
    List<List<Cell>> values = new ArrayList<>();
    for (List<Cell> row : table.rows()) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        if (table.columns().get(i).left()) {
          names.add(row.get(i).shown());
        }
      }
      for (int i = 0; i < row.size(); i++) {
        Column column = table.columns().get(i);
        List<String> fields =
            row.get(i) instanceof Cell.Text text ? List.of(text.shown()) : row.get(i).fields();
        for (int f = 0; !column.left() && f < fields.size(); f++) {
          values.add(
              List.of(
                  new Cell.Text(table.name()),
                  new Cell.Text(String.join(" / ", names)),
                  new Cell.Text(column.fields().get(f)),
                  new Cell.Text(fields.get(f))));
        }
      }
    }
    return values.stream();
  }

  /** Returns the tables, for a page. */
  public List<Table> tables() {
    return tables;
  }

  /** Returns the figures, for a page. */
  public List<Figure> figures() {
    return figures;
  }

  public List<String> notes() {
    return notes;
  }

  /** Returns its answer in a line. */
  public String title() {
    return title;
  }

  /** The derived cells of published tables, computed again from their inputs. */
  static final class RebuiltTables {
    private static final String FORMULA = "formula";

    private RebuiltTables() {}

    static Table of(List<PublishedTables.Table> checked) {
      return TableBuilder.of(
              checked.stream().filter(table -> table.asked().containsKey(FORMULA)).toList())
          .name("file", table -> String.valueOf(table.file().getFileName()))
          .count("recomputed", table -> table.asked().get(FORMULA))
          .count("deviating", table -> deviating(table).size())
          .table(
              "derived",
              "Derived cells, recomputed from their inputs",
              checked.stream().flatMap(table -> deviating(table).stream()).toList());
    }

    private static List<String> deviating(PublishedTables.Table table) {
      return table.violations().stream()
          .filter(one -> one.rule().equals(FORMULA))
          .map(one -> "deviates: " + one.message() + "; likely " + one.likelyCause())
          .toList();
    }
  }
}
