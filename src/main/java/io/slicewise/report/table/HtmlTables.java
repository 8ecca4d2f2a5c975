package io.slicewise.report.table;

import io.slicewise.base.units.EnumName;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a table as HTML that is readable without scripts; attributes carry the data for sorting
 * and filtering. The best set is marked by text as well as by colour.
 */
public final class HtmlTables {
  private static final String AS_FOUND = "as found";

  private final Origin origin;
  private final Map<String, String> schedulers = new HashMap<>();

  /** Creates a writer of tables without schedulers. */
  public HtmlTables(Origin origin) {
    this.origin = origin;
  }

  public HtmlTables(Experiment experiment, Origin origin) {
    this(origin);
    for (SchedulerProfile profile : experiment.profiles()) {
      schedulers.put(profile.name(), profile.scheduler().map(Scheduler::xenName).orElse(AS_FOUND));
    }
  }

  public String of(Table table) {
    Html html = new Html();
    html.raw("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"")
        .say(table.title())
        .raw("\">\n<table class=\"results\" data-table=\"")
        .say(table.name())
        .raw("\">\n<caption>")
        .say(table.title())
        .raw(" <span class=\"origin origin-")
        .raw(EnumName.of(origin.kind()))
        .raw("\">")
        .say(origin.kind().word())
        .raw("</span></caption>\n<thead><tr>");
    for (Table.Column column : table.columns()) {
      html.raw(column.left() ? "<th scope=\"col\" class=\"name\">" : "<th scope=\"col\">")
          .say(column.heading())
          .raw("</th>");
    }
    html.raw("</tr></thead>\n<tbody>\n");
    table.rows().forEach(row -> append(html, table, row));
    return html.raw("</tbody>\n</table>\n</div>\n").toString();
  }

  private void append(Html html, Table table, List<Cell> row) {
    String profile = text(table, row, "profile");
    html.raw("<tr");
    for (Axis axis : Axis.values()) {
      html.raw(" data-").raw(axis.key()).raw("=\"").say(text(table, row, axis.key())).raw("\"");
    }
    html.raw(" data-profile=\"")
        .say(profile)
        .raw("\" data-scheduler=\"")
        .say(schedulers.getOrDefault(profile, AS_FOUND))
        .raw("\" data-domain=\"")
        .say(text(table, row, "domain"))
        .raw(row.stream().anyMatch(Cell::best) ? "\" class=\"best\">" : "\">");
    for (int i = 0; i < row.size(); i++) {
      append(html, table.columns().get(i), row.get(i));
    }
    html.raw("</tr>\n");
  }

  private static String text(Table table, List<Cell> row, String key) {
    return table.cell(row, key).map(Cell::shown).orElse("");
  }

  private static void append(Html html, Table.Column column, Cell cell) {
    html.raw(column.left() ? "<td class=\"name\">" : "<td data-value=\"" + cell.sortKey() + "\">")
        .say(Html.typeset(cell.shown()));
    if (cell.best()) {
      html.raw(" <span class=\"mark\">best set</span>");
    }
    html.raw("</td>");
  }
}
