package io.slicewise.report.page;

import io.slicewise.evidence.analysis.SweepSummary;
import java.util.Locale;

/** The top of the page: title, origin and navigation. */
final class Masthead {
  private Masthead() {}

  static void append(Html page, PageInput input) {
    SweepSummary summary = input.summary();
    page.raw("<a class=\"skip\" href=\"#main\">Skip to the answer</a>\n<header>\n")
        .raw("<div class=\"bar\">\n<nav aria-label=\"Parts of this page\">\n")
        .raw("<a href=\"#answer\">Answer</a> <a href=\"#overview\">Effect</a> ")
        .raw("<a href=\"#evidence\">Evidence</a> <a href=\"#charts\">Charts</a> ")
        .raw("<a href=\"#tables\">Tables</a> <a href=\"#trials\">Trials</a> ")
        .raw("<a href=\"#trust\">Trust</a>\n</nav>\n")
        .raw("<div id=\"theme\" class=\"switch\" role=\"group\" aria-label=\"Colours\"></div>\n")
        .raw("</div>\n")
        .element("h1", input.title())
        .raw("<p class=\"lead\">")
        .say(input.headline().replaceAll(" {2,}", " · "))
        .raw("</p>\n<p><span class=\"origin origin-")
        .raw(summary.origin().kind().name().toLowerCase(Locale.ROOT))
        .raw("\">")
        .say(summary.origin().kind().word())
        .raw("</span> ")
        .say(summary.origin().sentence())
        .raw("</p>\n</header>\n");
  }
}
