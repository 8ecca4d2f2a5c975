package io.slicewise.report.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.base.json.Json;

/**
 * The whole page.
 *
 * <p>Its content security policy allows the two scripts by their hashes and nothing else: no
 * requests, no inline handlers, no {@code eval}. Inline styles are allowed because the chart
 * library needs them; they cannot fetch anything, since no image or font source is allowed. The
 * data is JSON in a non-script block with every {@code <} escaped, and the scripts insert every
 * label as text.
 */
public final class Page {
  private Page() {}

  /** Returns the page as one file. */
  public static String of(PageInput input) {
    String charts = Assets.charts();
    String script = Assets.script();
    Html page = new Html();
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .raw("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .raw("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ")
        .raw("script-src " + Assets.hash(charts) + " " + Assets.hash(script) + "\">\n")
        .element("title", input.title())
        .raw("<style>\n" + Assets.style() + "</style>\n</head>\n<body>\n");
    frame(page, input);
    page.raw("<script type=\"application/json\" id=\"data\">")
        .raw(json(ChartData.of(input)))
        .raw("</script>\n<script>" + charts + "</script>\n<script>" + script + "</script>\n");
    return page.raw("</body>\n</html>\n").toString();
  }

  private static void frame(Html page, PageInput input) {
    Masthead.append(page, input);
    page.raw("<main id=\"main\" tabindex=\"-1\">\n");
    AnswerSection.append(page, input);
    page.raw("<section id=\"overview\" aria-labelledby=\"overview-title\">\n")
        .element("h2 id=\"overview-title\"", "Effect and capacity")
        .raw("<div id=\"overview-list\"></div>\n</section>\n");
    EvidenceSection.append(page, input);
    page.raw("<section id=\"charts\" aria-labelledby=\"charts-title\">\n")
        .element("h2 id=\"charts-title\"", "Charts")
        .raw("<noscript><p>The charts need a browser with scripts enabled; all their numbers ")
        .raw("are in the tables below or in the files next to this page.</p></noscript>\n")
        .raw("<div id=\"chart-list\"></div>\n</section>\n");
    page.raw("<section id=\"tables\" aria-labelledby=\"tables-title\">\n")
        .element("h2 id=\"tables-title\"", "Tables");
    input.tables().forEach(page::raw);
    page.raw("</section>\n<section id=\"trials\" aria-labelledby=\"trials-title\">\n")
        .element("h2 id=\"trials-title\"", "Trials")
        .raw("<div id=\"trial-list\"></div>\n</section>\n");
    Trust.append(page, input);
    page.raw("</main>\n").raw("<dialog id=\"drill\" aria-labelledby=\"drill-title\"></dialog>\n");
  }

  /** Returns JSON that cannot end its script block or open a comment or another script in it. */
  private static String json(ChartData data) {
    try {
      return Json.mapper().writeValueAsString(data).replace("<", "\\u003c");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the page's data has no JSON form", e);
    }
  }
}
