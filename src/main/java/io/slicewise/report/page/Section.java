package io.slicewise.report.page;

import io.slicewise.report.table.Html;
import java.util.function.Consumer;

/**
 * A part of a page, with a heading and a link in the navigation. A page is a list of sections.
 *
 * @param id of the element and of the link
 * @param link the word in the navigation
 * @param content appends what follows the heading
 */
record Section(String id, String link, String title, String style, Consumer<Html> content) {
  Section(String id, String link, String title, Consumer<Html> content) {
    this(id, link, title, "", content);
  }

  /** Returns the first screen, whose heading is the answer. */
  static Section answer(String headline, Consumer<Html> content) {
    return new Section("answer", "Answer", headline, " class=\"answer\"", content);
  }

  /** Returns a section that a script fills. */
  static Section drawn(String id, String link, String title, String list) {
    return new Section(id, link, title, page -> page.raw("<div id=\"" + list + "\"></div>\n"));
  }

  void append(Html page) {
    page.raw("<section id=\"%1$s\" aria-labelledby=\"%1$s-title\">\n".formatted(id))
        .element("h2 id=\"%s-title\"%s".formatted(id, style), title);
    content.accept(page);
    page.raw("</section>\n");
  }
}
