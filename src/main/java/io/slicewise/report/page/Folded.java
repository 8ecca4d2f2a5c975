package io.slicewise.report.page;

import io.slicewise.evidence.analysis.GroupedNote;
import java.util.List;

/** Lists whose first items are shown and whose others open on request. */
final class Folded {
  private Folded() {}

  static void list(Html page, List<String> lines, int shown) {
    notes(page, lines.stream().map(line -> new GroupedNote(line, List.of())).toList(), shown);
  }

  /** Appends a line per note; a line that summarises several opens a list of them. */
  static void notes(Html page, List<GroupedNote> notes, int shown) {
    items(page, notes.subList(0, Math.min(shown, notes.size())));
    if (notes.size() > shown) {
      page.raw("<details>\n").element("summary", (notes.size() - shown) + " more");
      items(page, notes.subList(shown, notes.size()));
      page.raw("</details>\n");
    }
  }

  private static void items(Html page, List<GroupedNote> notes) {
    if (notes.isEmpty()) {
      return;
    }
    page.raw("<ul>\n");
    for (GroupedNote note : notes) {
      String line = Html.typeset(note.line());
      if (note.members().size() < 2) {
        page.element("li", line);
      } else {
        page.raw("<li><details class=\"alike\">")
            .element("summary", line)
            .list("ul", note.members().stream().map(Html::typeset).toList())
            .raw("</details></li>\n");
      }
    }
    page.raw("</ul>\n");
  }
}
