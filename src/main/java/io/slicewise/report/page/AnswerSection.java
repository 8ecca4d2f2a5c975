package io.slicewise.report.page;

import io.slicewise.run.Origin;
import java.util.List;
import java.util.Set;

/** The section with the answer: recommendation, evidence, costs, open questions and commands. */
final class AnswerSection {
  /** The number of open questions shown; the others are collapsed. */
  private static final int SHOWN = 4;

  /** The parts of the advice that the page shows in its own way. */
  private static final Set<String> ELSEWHERE = Set.of("Apply", "Undo", "Not shown");

  private AnswerSection() {}

  static void append(Html page, PageInput input) {
    Headline headline = new Headline(input.experiment(), input.recommendation());
    page.raw("<section id=\"answer\" aria-labelledby=\"answer-title\">\n")
        .element("h2 id=\"answer-title\"", "Answer");
    if (!headline.warnings().isEmpty()) {
      page.raw("<div class=\"warning\" role=\"note\">\n")
          .element("strong", "Do not rely on this yet.")
          .list("ul", headline.warnings())
          .raw("</div>\n");
    }
    page.element("p class=\"answer\"", headline.answer());
    if (input.summary().origin().kind() != Origin.Kind.HOST) {
      page.element(
          "p class=\"aside\"", "Valid only for: " + input.summary().origin().sentence() + ".");
    }
    commands(page, input.advice());
    parts(page, input.advice().parts());
    open(page, headline.notShown());
    page.raw("</section>\n");
  }

  private static void parts(Html page, List<PageAdvice.Part> parts) {
    page.raw("<div class=\"parts\">\n");
    for (PageAdvice.Part part : parts) {
      if (!ELSEWHERE.contains(part.label())) {
        page.raw("<div>").element("h3", part.label());
        folded(page, part.sentences().stream().map(Phrases::typeset).toList());
        page.raw("</div>\n");
      }
    }
    page.raw("</div>\n");
  }

  private static void open(Html page, List<String> sentences) {
    if (!sentences.isEmpty()) {
      page.element("h3", "Not shown");
      folded(page, sentences);
    }
  }

  private static void folded(Html page, List<String> sentences) {
    page.list("ul", sentences.stream().limit(SHOWN).toList());
    if (sentences.size() > SHOWN) {
      page.raw("<details>\n")
          .element("summary", (sentences.size() - SHOWN) + " more")
          .list("ul", sentences.subList(SHOWN, sentences.size()))
          .raw("</details>\n");
    }
  }

  private static void commands(Html page, PageAdvice advice) {
    if (!advice.apply().isEmpty()) {
      page.raw("<div class=\"commands\">\n");
      lines(page, "Apply, on a host as the run found it", advice.apply());
      lines(page, "Undo", advice.undo());
      page.raw("</div>\n");
    }
    advice.parts().stream()
        .filter(part -> part.label().equals("Apply"))
        .flatMap(part -> part.sentences().stream())
        .filter(sentence -> !advice.apply().contains(sentence))
        .forEach(sentence -> page.element("p class=\"aside\"", sentence));
  }

  private static void lines(Html page, String title, List<String> commands) {
    page.raw("<figure>")
        .element("figcaption", title)
        .raw("<pre tabindex=\"0\">")
        .say(String.join("\n", commands))
        .raw("</pre></figure>\n");
  }
}
