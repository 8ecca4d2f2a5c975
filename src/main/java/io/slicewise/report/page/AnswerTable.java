package io.slicewise.report.page;

import io.slicewise.report.table.Html;
import java.util.List;

/**
 * A table of the first screen; the first column heads its row.
 *
 * @param label for readers who do not see it
 */
record AnswerTable(String label, List<Column> columns, List<List<String>> rows) {
  /** What a column holds. */
  enum Kind {
    FIGURE,
    NAME,
    VERDICT
  }

  record Column(String head, Kind kind) {
    static Column figure(String head) {
      return new Column(head, Kind.FIGURE);
    }

    static Column name(String head) {
      return new Column(head, Kind.NAME);
    }

    static Column verdict(String head) {
      return new Column(head, Kind.VERDICT);
    }

    private String attributes() {
      return kind == Kind.FIGURE ? "" : " class=\"name\"";
    }
  }

  void append(Html page) {
    if (rows.isEmpty()) {
      return;
    }
    page.raw("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"")
        .say(label)
        .raw("\"><table class=\"effect\">\n<thead><tr>");
    columns.forEach(
        column -> page.element("th scope=\"col\"" + column.attributes(), column.head()));
    page.raw("</tr></thead>\n<tbody>\n");
    rows.forEach(row -> append(page, row));
    page.raw("</tbody>\n</table></div>\n");
  }

  private void append(Html page, List<String> row) {
    page.raw("<tr>").element("th scope=\"row\"", row.get(0));
    for (int i = 1; i < row.size(); i++) {
      Column column = columns.get(i);
      if (column.kind() == Kind.VERDICT) {
        open(page, column).raw("<strong>").say(row.get(i)).raw("</strong></td>");
      } else {
        open(page, column).say(row.get(i)).raw("</td>");
      }
    }
    page.raw("</tr>\n");
  }

  /** A narrow page shows each cell under the heading of its column. */
  private static Html open(Html page, Column column) {
    return page.raw("<td" + column.attributes() + " data-head=\"").say(column.head()).raw("\">");
  }
}
