package io.slicewise.report.page;

import io.slicewise.base.units.EnumName;
import io.slicewise.run.Origin;
import java.util.List;

/** The top of a page: title, origin and navigation. */
final class Masthead {
  private Masthead() {}

  static void append(Html page, String title, String lead, Origin origin, List<Section> sections) {
    page.raw("<a class=\"skip\" href=\"#main\">Skip to the answer</a>\n<header>\n")
        .raw("<div class=\"bar\">\n<nav aria-label=\"Parts of this page\">\n");
    sections.forEach(
        section -> page.element("a href=\"#%s\"".formatted(section.id()), section.link()));
    page.raw("</nav>\n")
        .raw("<div id=\"theme\" class=\"switch\" role=\"group\" aria-label=\"Colours\"></div>\n")
        .raw("</div>\n")
        .element("h1", title)
        .raw("<p class=\"lead\">")
        .say(lead)
        .raw(" <span class=\"origin origin-")
        .raw(EnumName.of(origin.kind()))
        .raw("\">")
        .say(origin.kind().word())
        .raw("</span> ")
        .say(origin.sentence())
        .raw("</p>\n</header>\n");
  }
}
