package io.slicewise.report;

import io.slicewise.analysis.SweepSummary;
import java.util.List;

/** The page: one file that opens from disk, asks the network for nothing and runs no script. */
final class HtmlReport {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }
      th { border-bottom: 2px solid #8888; }
      .name { text-align: left; }
      ol { padding-left: 1.2rem; }
      """;

  private HtmlReport() {}

  static String page(SweepSummary summary, List<Table> tables) {
    StringBuilder page = new StringBuilder(8192);
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" ")
        .append("content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>")
        .append(escape(Sentences.title(summary)))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n<h1>")
        .append(escape(Sentences.title(summary)))
        .append("</h1>\n<p>")
        .append(escape(Sentences.headline(summary)))
        .append("<br>\nHost: ")
        .append(escape(summary.host()))
        .append("<br>\nOrigin: ")
        .append(escape(summary.origin().sentence()))
        .append("</p>\n");
    tables.forEach(table -> append(page, table));
    appendList(page, "Notes", Sentences.footnotes(summary));
    appendList(page, "Trials that do not count", Sentences.eachTrial(summary));
    return page.append("</body>\n</html>\n").toString();
  }

  private static void append(StringBuilder page, Table table) {
    page.append("<h2>").append(escape(table.title())).append("</h2>\n");
    page.append("<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead><tr>");
    for (int i = 0; i < table.columns().size(); i++) {
      boolean name = !table.rows().isEmpty() && table.rows().get(0).get(i) instanceof Cell.Name;
      page.append(name ? "<th scope=\"col\" class=\"name\">" : "<th scope=\"col\">")
          .append(escape(table.columns().get(i).heading()))
          .append("</th>");
    }
    page.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : table.rows()) {
      page.append("<tr>");
      row.forEach(cell -> append(page, cell));
      page.append("</tr>\n");
    }
    page.append("</tbody>\n</table>\n</div>\n");
  }

  private static void append(StringBuilder page, Cell cell) {
    if (cell instanceof Cell.Name name) {
      page.append("<td class=\"name\">").append(escape(name.text()));
    } else if (cell instanceof Cell.Count count) {
      page.append("<td>").append(count.value());
    } else if (cell instanceof Cell.Measured measured) {
      page.append("<td>").append(escape(Numbers.measured(measured)));
    }
    page.append("</td>");
  }

  private static void appendList(StringBuilder page, String title, List<String> notes) {
    if (notes.isEmpty()) {
      return;
    }
    page.append("<h2>").append(title).append("</h2>\n<ol>\n");
    notes.forEach(note -> page.append("<li>").append(escape(note)).append("</li>\n"));
    page.append("</ol>\n");
  }

  /** Text stays text: every character that HTML gives a meaning to is written as a reference. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
