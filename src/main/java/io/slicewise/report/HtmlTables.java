package io.slicewise.report;

import io.slicewise.evidence.analysis.BestSet;
import io.slicewise.evidence.analysis.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.report.page.Html;
import io.slicewise.run.Origin;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes a table as HTML that is readable without scripts; attributes carry the data for sorting
 * and filtering. The best set is marked by text as well as by colour.
 */
final class HtmlTables {
  private static final String AS_FOUND = "as found";

  private final Origin origin;
  private final Map<String, String> schedulers = new HashMap<>();
  private final Set<String> best = new HashSet<>();

  HtmlTables(Experiment experiment, Recommendation recommendation, Origin origin) {
    this.origin = origin;
    for (SchedulerProfile profile : experiment.profiles()) {
      schedulers.put(profile.name(), profile.scheduler().map(Scheduler::xenName).orElse(AS_FOUND));
    }
    for (BestSet set : recommendation.bestSets()) {
      if (set.degreesOfFreedom() > 0) {
        set.profiles().forEach(profile -> best.add(set.load() + " " + profile));
      }
    }
  }

  String of(Table table) {
    Html html = new Html();
    html.raw("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"")
        .say(table.title())
        .raw("\">\n<table class=\"results\" data-table=\"")
        .say(table.name())
        .raw("\">\n<caption>")
        .say(table.title())
        .raw(" <span class=\"origin origin-")
        .raw(origin.kind().name().toLowerCase(Locale.ROOT))
        .raw("\">")
        .say(origin.kind().word())
        .raw("</span></caption>\n<thead><tr>");
    for (int i = 0; i < table.columns().size(); i++) {
      boolean name = !table.rows().isEmpty() && table.rows().get(0).get(i) instanceof Cell.Name;
      html.raw(name ? "<th scope=\"col\" class=\"name\">" : "<th scope=\"col\">")
          .say(table.columns().get(i).heading())
          .raw("</th>");
    }
    html.raw("</tr></thead>\n<tbody>\n");
    table.rows().forEach(row -> append(html, table, row));
    return html.raw("</tbody>\n</table>\n</div>\n").toString();
  }

  private void append(Html html, Table table, List<Cell> row) {
    String users = text(table, row, "users");
    String neighbours = text(table, row, "neighbours");
    String profile = text(table, row, "profile");
    String load = users + (neighbours.isEmpty() ? "" : " beside " + neighbours);
    String told = text(table, row, InterferenceTable.BEST);
    boolean marked = told.isEmpty() ? best.contains(load + " " + profile) : told.equals("yes");
    html.raw("<tr data-users=\"")
        .say(users)
        .raw("\" data-neighbours=\"")
        .say(neighbours)
        .raw("\" data-profile=\"")
        .say(profile)
        .raw("\" data-scheduler=\"")
        .say(schedulers.getOrDefault(profile, AS_FOUND))
        .raw("\" data-domain=\"")
        .say(text(table, row, "domain"))
        .raw(marked ? "\" class=\"best\">" : "\">");
    for (int i = 0; i < row.size(); i++) {
      append(html, row.get(i), marked && table.columns().get(i).key().equals("profile"));
    }
    html.raw("</tr>\n");
  }

  private static String text(Table table, List<Cell> row, String key) {
    for (int i = 0; i < row.size(); i++) {
      if (table.columns().get(i).key().equals(key)) {
        return row.get(i) instanceof Cell.Name name
            ? name.text()
            : row.get(i) instanceof Cell.Count count ? String.valueOf(count.value()) : "";
      }
    }
    return "";
  }

  private static void append(Html html, Cell cell, boolean marked) {
    if (cell instanceof Cell.Name name) {
      html.raw("<td class=\"name\">").say(name.text());
      if (marked) {
        html.raw(" <span class=\"mark\">best set</span>");
      }
    } else if (cell instanceof Cell.Count count) {
      html.raw("<td data-value=\"" + count.value() + "\">" + count.value());
    } else if (cell instanceof Cell.Change change) {
      html.raw("<td data-value=\"" + change.percent() + "\">").say(ChangeText.numbers(change));
    } else if (cell instanceof Cell.Measured measured) {
      html.raw("<td data-value=\"" + measured.estimate().mean() + "\">")
          .say(Numbers.measured(measured));
    }
    html.raw("</td>");
  }
}
