package io.slicewise.report;

import io.slicewise.evidence.analysis.Compared;
import io.slicewise.evidence.analysis.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints a comparison as text, Markdown or CSV. */
public final class ComparisonReport {
  private final Compared compared;
  private final ComparisonRows rows;

  public ComparisonReport(Compared compared) {
    this.compared = compared;
    this.rows = new ComparisonRows(compared);
  }

  /** Returns lines of at most {@code width} columns; each row of a wider table takes two lines. */
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
      lines.addAll(table(width));
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

  private List<String> table(int width) {
    List<List<String>> all = new ArrayList<>();
    all.add(rows.headings());
    all.addAll(rows.rows());
    List<String> lines = TextColumns.lines(all, ComparisonRows.LEFT);
    return lines.stream().allMatch(line -> line.length() <= width) ? lines : stacked(width);
  }

  private List<String> stacked(int width) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < rows.rows().size(); i++) {
      List<String> row = rows.rows().get(i);
      lines.addAll(
          Wrap.lines(
              rows.places().get(i) + ", " + row.get(2) + ": " + row.get(7), "", "  ", width));
      lines.add(
          "    "
              + row.get(3)
              + " -> "
              + row.get(4)
              + (row.get(5).equals(ComparisonRows.NONE) ? "" : ", " + row.get(5) + " %")
              + (row.get(6).equals(ComparisonRows.NONE) ? "" : ", p Holm " + row.get(6)));
    }
    return lines;
  }

  /** Returns a Markdown summary for a merge request. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("**").append(Markdown.escape(rows.headline())).append("**\n\n");
    text.append(
        Markdown.escape(compared.experiment() + ": " + compared.from() + " → " + compared.to()));
    text.append("\n\n");
    text.append(Markdown.table(rows.headings(), ComparisonRows.LEFT, rows.rows()));
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
    StringBuilder text =
        new StringBuilder(
            "profile,"
                + (ComparisonRows.sweepsNeighbours(compared) ? "users,neighbours" : "users")
                + ",metric,kind,blocked,n,from,to,change_percent,low_percent,high_percent,"
                + "p,p_holm,p_equivalence,p_rank,verdict,more_blocks\r\n");
    for (Comparison c : compared.comparisons()) {
      List<String> fields =
          List.of(
              Csv.text(c.profile()),
              CellColumns.fields(c.load()),
              c.metric().key(),
              word(c.kind()),
              String.valueOf(c.blocked()),
              String.valueOf(c.effect().n()),
              Csv.number(c.baselineMean()),
              Csv.number(c.mean()),
              Csv.number(c.percent()),
              Csv.number(c.low()),
              Csv.number(c.high()),
              Csv.number(c.p()),
              Csv.number(c.adjustedP()),
              Csv.number(c.equivalenceP()),
              Csv.number(c.rankP()),
              word(c.verdict()),
              c.moreBlocks().isPresent() ? String.valueOf(c.moreBlocks().getAsInt()) : "");
      text.append(fields.stream().collect(Collectors.joining(",", "", "\r\n")));
    }
    return text.toString();
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
