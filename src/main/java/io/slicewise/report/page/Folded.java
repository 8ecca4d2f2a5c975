package io.slicewise.report.page;

import java.util.List;

/** Lists whose first items are shown and whose others open on request. */
final class Folded {
  private Folded() {}

  static void list(Html page, List<String> lines, int shown) {
    page.list("ul", lines.stream().limit(shown).toList());
    if (lines.size() > shown) {
      page.raw("<details>\n")
          .element("summary", (lines.size() - shown) + " more")
          .list("ul", lines.subList(shown, lines.size()))
          .raw("</details>\n");
    }
  }
}
