package io.slicewise.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * The answer of a tune and how it came about, as the page shows it.
 *
 * @param headline the answer on one line
 * @param settings of the choice, or of the set
 * @param certainty how sure the answer is
 * @param sentences how the race went
 * @param confirmations a row for each confirmed or refuted choice
 * @param data of the charts: the tune's report as JSON
 */
public record PageTune(
    String headline,
    List<String> settings,
    List<String> certainty,
    List<String> sentences,
    List<Confirmed> confirmations,
    JsonNode data) {
  public PageTune {
    settings = List.copyOf(settings);
    certainty = List.copyOf(certainty);
    sentences = List.copyOf(sentences);
    confirmations = List.copyOf(confirmations);
  }

  /** A choice measured against the settings found in trials that took no part in the choice. */
  public record Confirmed(
      String loads, String choice, String values, String change, String verdict) {}

  void appendTable(Html page) {
    if (confirmations.isEmpty()) {
      return;
    }
    page.raw("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Confirmation\">")
        .raw("<table class=\"effect\">\n<thead><tr>");
    List.of("load", "choice", "settings found → choice", "change (95 % CI)", "confirmation")
        .forEach(
            head ->
                page.element(
                    head.equals("choice") || head.equals("confirmation")
                        ? "th scope=\"col\" class=\"name\""
                        : "th scope=\"col\"",
                    head));
    page.raw("</tr></thead>\n<tbody>\n");
    for (Confirmed one : confirmations) {
      page.raw("<tr>")
          .element("th scope=\"row\"", one.loads())
          .element("td class=\"name\"", one.choice())
          .element("td", one.values())
          .element("td", one.change())
          .raw("<td class=\"name\"><strong>")
          .say(one.verdict())
          .raw("</strong></td></tr>\n");
    }
    page.raw("</tbody>\n</table></div>\n");
  }
}
