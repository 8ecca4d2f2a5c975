package io.slicewise.report.page;

import io.slicewise.report.page.AnswerSection.Headline;
import io.slicewise.report.page.PageInput.PageAdvice;
import io.slicewise.report.page.Trust.Folded;
import io.slicewise.report.table.Html;
import java.util.List;
import java.util.Set;

/**
 * The section with the evidence in sentences. Each part of the advice that the first screen does
 * not show appears here under its label, so a new label needs no change.
 */
final class EvidenceSection {
  /** The number of sentences shown of each part; the others are collapsed. */
  private static final int SHOWN = 4;

  /** The parts that {@link AnswerSection} or a section of their own shows. */
  private static final Set<String> ABOVE =
      Set.of(
          "But",
          "Apply",
          "Undo",
          "Not shown",
          "How sure",
          "Waits",
          "Guard",
          "Capacity",
          "Factors",
          "Holds for",
          "Host",
          "Trials");

  private EvidenceSection() {}

  static Section of(PageInput input) {
    return new Section("evidence", "Evidence", "Evidence", page -> append(page, input));
  }

  private static void append(Html page, PageInput input) {
    page.raw("<div class=\"parts\">\n");
    input.tune().ifPresent(tune -> part(page, "Race", tune.sentences()));
    for (PageAdvice.Part part : input.advice().parts()) {
      boolean above = part.label().equals("Price") && input.tune().isPresent();
      if (!above && !ABOVE.contains(part.label())) {
        part(page, part.label(), part.sentences().stream().map(Html::typeset).toList());
      }
    }
    part(page, "Not shown", new Headline(input.experiment(), input.recommendation()).notShown());
    page.raw("</div>\n");
  }

  private static void part(Html page, String label, List<String> sentences) {
    part(page, label, sentences, SHOWN);
  }

  /** Appends sentences under their label; nothing without any. */
  static void part(Html page, String label, List<String> sentences, int shown) {
    if (!sentences.isEmpty()) {
      page.raw("<div>").element("h3", label);
      Folded.list(page, sentences, shown);
      page.raw("</div>\n");
    }
  }
}
