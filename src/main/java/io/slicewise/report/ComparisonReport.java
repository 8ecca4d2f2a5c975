package io.slicewise.report;

import io.slicewise.base.units.EnumName;
import io.slicewise.evidence.analysis.Compared;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.report.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** Prints a comparison as text, Markdown or CSV. */
public final class ComparisonReport {
  private static final List<String> NUMBERS =
      List.of(
          "from",
          "to",
          "change_percent",
          "low_percent",
          "high_percent",
          "p",
          "p_holm",
          "p_equivalence",
          "p_rank");

  private final Compared compared;
  private final ComparisonRows rows;

  public ComparisonReport(Compared compared) {
    this.compared = compared;
    this.rows = new ComparisonRows(compared);
  }

  /** Returns lines of at most {@code width} columns. */
  public List<String> text(int width) {
    List<String> lines = new ArrayList<>();
    lines.addAll(Wrap.lines(rows.headline(), "", "  ", width));
    lines.addAll(
        Wrap.lines(
            compared.experiment() + ": " + compared.from() + " -> " + compared.to(),
            "",
            "  ",
            width));
    if (!rows.rows().isEmpty()) {
      lines.add("");
      lines.addAll(TextTable.rows(rows.table(), width));
    }
    lines.add("");
    rows.notes().forEach(note -> lines.addAll(Wrap.lines(note, "", "  ", width)));
    for (int i = 0; i < rows.footnotes().size(); i++) {
      lines.addAll(Wrap.lines(rows.footnotes().get(i), " " + (i + 1) + "  ", "    ", width));
    }
    compared
        .warnings()
        .forEach(warning -> lines.addAll(Wrap.lines(warning, "warning  ", "         ", width)));
    return lines;
  }

  /** Returns a Markdown summary for a merge request. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("**").append(Markdown.escape(rows.headline())).append("**\n\n");
    text.append(
        Markdown.escape(compared.experiment() + ": " + compared.from() + " → " + compared.to()));
    text.append("\n\n");
    text.append(Markdown.table(rows.table()));
    text.append('\n');
    for (int i = 0; i < rows.footnotes().size(); i++) {
      text.append("- ").append(i + 1).append(": ");
      text.append(Markdown.escape(rows.footnotes().get(i))).append('\n');
    }
    rows.notes().forEach(note -> text.append("- ").append(Markdown.escape(note)).append('\n'));
    compared
        .warnings()
        .forEach(
            warning -> text.append("- **warning** ").append(Markdown.escape(warning)).append('\n'));
    return text.toString();
  }

  /** Returns all comparisons in full precision as CSV (RFC 4180); unknown values are empty. */
  public String csv() {
    LoadAxes axes = ComparisonRows.axes(compared);
    List<Column> columns = new ArrayList<>(List.of(Column.name("profile")));
    columns.addAll(CellColumns.load(axes));
    columns.addAll(
        List.of(
            Column.name("metric"), Column.name("kind"), Column.name("blocked"), Column.count("n")));
    NUMBERS.forEach(name -> columns.add(Column.number(name)));
    columns.addAll(
        List.of(Column.name("verdict"), Column.count("more_blocks"), Column.name("basis")));
    List<List<Cell>> rows = compared.comparisons().stream().map(one -> row(axes, one)).toList();
    return CsvTable.text(new Table("comparisons", "", columns, rows));
  }

  private static List<Cell> row(LoadAxes axes, Comparison c) {
    List<Cell> row = new ArrayList<>(List.of(new Cell.Text(c.profile())));
    row.addAll(CellColumns.load(axes, c.load()));
    row.add(new Cell.Text(c.metric().key()));
    row.add(new Cell.Text(EnumName.of(c.kind())));
    row.add(new Cell.Text(String.valueOf(c.blocked())));
    row.add(new Cell.Count(c.effect().n()));
    DoubleStream.of(
            c.baselineMean(),
            c.mean(),
            c.percent(),
            c.low(),
            c.high(),
            c.p(),
            c.adjustedP(),
            c.equivalenceP(),
            c.rankP())
        .forEach(value -> row.add(new Cell.Value(value)));
    row.add(new Cell.Text(EnumName.of(c.verdict())));
    row.add(
        c.moreBlocks().isPresent() ? new Cell.Count(c.moreBlocks().getAsInt()) : new Cell.Empty());
    row.add(new Cell.Text(c.basis().key()));
    return row;
  }
}
