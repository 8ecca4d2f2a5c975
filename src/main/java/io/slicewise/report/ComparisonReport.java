package io.slicewise.report;

import io.slicewise.base.units.EnumName;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.report.table.Markdown;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.report.table.TextColumns;
import io.slicewise.report.table.Wrap;
import java.util.ArrayList;
import java.util.List;

/** Prints a comparison as text, Markdown or CSV. */
public final class ComparisonReport {
  private final Compared compared;
  private final RunAnswer answer;
  private final ComparisonRows rows;

  /**
   * Creates the report.
   *
   * @param answer of the run with the changes
   */
  public ComparisonReport(Compared compared, RunAnswer answer) {
    this.compared = compared;
    this.answer = answer;
    this.rows = new ComparisonRows(compared, answer);
  }

  /** Returns lines of at most {@code width} columns. */
  public List<String> text(int width) {
    List<String> lines = new ArrayList<>();
    lines.addAll(Wrap.lines(rows.headline(), "", "  ", width));
    lines.addAll(Wrap.lines(compared.names().text("->"), "", "  ", width));
    answer.sentences().forEach(text -> lines.addAll(Wrap.lines(text, "", "  ", width)));
    if (!rows.rows().isEmpty()) {
      lines.add("");
      lines.addAll(TextColumns.rows(rows.table(), width));
    }
    lines.add("");
    rows.notes().forEach(note -> lines.addAll(Wrap.lines(note, "", "  ", width)));
    for (int i = 0; i < rows.footnotes().size(); i++) {
      lines.addAll(Wrap.lines(rows.footnotes().get(i), " " + (i + 1) + "  ", "    ", width));
    }
    for (String warning : compared.warnings()) {
      lines.addAll(Wrap.lines(warning, "warning  ", "         ", width));
    }
    return lines;
  }

  /** Returns a Markdown summary for a merge request. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("**").append(Markdown.escape(rows.headline())).append("**\n\n");
    text.append(Markdown.escape(compared.names().text("→")));
    text.append("\n\n").append(Markdown.list(answer.sentences())).append('\n');
    text.append(Markdown.table(rows.table()));
    text.append('\n');
    for (int i = 0; i < rows.footnotes().size(); i++) {
      text.append("- ").append(i + 1).append(": ");
      text.append(Markdown.escape(rows.footnotes().get(i))).append('\n');
    }
    text.append(Markdown.list(rows.notes()));
    for (String warning : compared.warnings()) {
      text.append("- **warning** ").append(Markdown.escape(warning)).append('\n');
    }
    return text.toString();
  }

  /** Returns all comparisons in full precision as CSV (RFC 4180); unknown values are empty. */
  public String csv() {
    return CsvTable.text(
        TableBuilder.of(compared.rows().comparisons())
            .name("profile", Comparison::profile)
            .load(ComparisonRows.axes(compared), Comparison::load)
            .name("metric", one -> one.metric().key())
            .name("kind", one -> EnumName.of(one.kind()))
            .name("blocked", one -> String.valueOf(one.blocked()))
            .count("n", one -> one.means().effect().n())
            .value("from", one -> one.means().before())
            .value("to", one -> one.means().after())
            .value("change_percent", one -> one.change().percent())
            .value("low_percent", one -> one.change().low())
            .value("high_percent", one -> one.change().high())
            .value("p", one -> one.tests().p())
            .value("p_holm", one -> one.tests().adjustedP())
            .value("p_equivalence", one -> one.tests().equivalenceP())
            .value("p_equivalence_holm", one -> one.tests().adjustedEquivalenceP())
            .value("p_rank", one -> one.tests().rankP())
            .name("verdict", one -> EnumName.of(one.verdict()))
            .countIfKnown("more_blocks", Comparison::moreBlocks)
            .name("basis", one -> one.means().basis().key())
            .table("comparisons", ""));
  }
}
