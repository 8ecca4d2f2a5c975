package io.slicewise.report.page;

import io.slicewise.report.page.PageInput.PageAdvice;
import io.slicewise.report.table.Html;
import io.slicewise.run.Origin;
import java.util.List;
import java.util.function.Consumer;

/**
 * The content of a page without trials: a comparison, a history or a study.
 *
 * @param lead what is compared, on one line
 * @param headline the answer on one line
 * @param warnings what limits the answer
 * @param facts of the first screen
 * @param evidence in sentences
 * @param tables markup of the result tables
 * @param runs markup of the table of runs
 */
public record PlainInput(
    String title,
    String lead,
    Origin origin,
    String headline,
    List<String> warnings,
    List<PageAdvice.Part> facts,
    List<PageAdvice.Part> evidence,
    List<String> tables,
    String runs) {
  private static final int SHOWN = 8;

  public PlainInput {
    warnings = List.copyOf(warnings);
    facts = List.copyOf(facts);
    evidence = List.copyOf(evidence);
    tables = List.copyOf(tables);
  }

  /** Returns the first screen with that table. */
  public Section answer(Consumer<Html> table) {
    return Section.answer(
        Html.typeset(headline),
        page -> {
          AnswerSection.warnings(
              page, "Read with care.", warnings.stream().map(Html::typeset).toList());
          table.accept(page);
          page.raw("<dl class=\"facts\">\n");
          facts.forEach(part -> AnswerSection.fact(page, part.label(), part.sentences()));
          page.raw("</dl>\n");
        });
  }

  Section evidenceSection() {
    return new Section(
        "evidence",
        "Evidence",
        "Evidence",
        page -> {
          page.raw("<div class=\"parts\">\n");
          for (PageAdvice.Part part : evidence) {
            EvidenceSection.part(
                page, part.label(), part.sentences().stream().map(Html::typeset).toList(), SHOWN);
          }
          page.raw("</div>\n");
        });
  }

  Section provenance() {
    return new Section("trust", "Runs", "Runs", page -> page.raw(runs));
  }
}
