package io.slicewise.report.page;

import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.report.page.PageInput.PageAdvice;
import io.slicewise.report.page.PageInput.PageStudy;
import io.slicewise.report.page.PageInput.PageTune;
import io.slicewise.report.table.Html;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The first screen of the page: what to set, how much better, how sure, at which loads, at what
 * price, on which host, when, and the commands. Prices and warnings are never collapsed.
 */
final class AnswerSection {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private AnswerSection() {}

  static Section of(PageInput input) {
    Headline headline = new Headline(input.experiment(), input.recommendation());
    Optional<String> studied =
        input.studies().stream()
            .filter(study -> input.experiment().profiles().size() == 1)
            .map(PageStudy::answer)
            .filter(answer -> !answer.isEmpty())
            .findFirst();
    return Section.answer(
        Html.typeset(studied.orElseGet(input.advice().answer()::headline)),
        page -> append(page, input, headline));
  }

  /** Appends what limits the answer. */
  static void warnings(Html page, String title, List<String> warnings) {
    if (!warnings.isEmpty()) {
      page.raw("<div class=\"warning\" role=\"note\">\n")
          .element("strong", title)
          .list("ul", warnings.stream().map(Html::typeset).toList())
          .raw("</div>\n");
    }
  }

  private static void append(Html page, PageInput input, Headline headline) {
    Answer.Grade grade = input.advice().answer().grade();
    warnings(
        page,
        grade.isVoid() ? "Do not rely on this: " + grade.words() + "." : "What limits this answer",
        input.advice().answer().caveats());
    input
        .tune()
        .ifPresentOrElse(
            tune -> tune.appendTable(page),
            () -> EffectTable.append(page, input.experiment(), input.recommendation()));
    facts(page, input, headline);
    commands(page, input.advice());
  }

  private static void facts(Html page, PageInput input, Headline headline) {
    PageAdvice advice = input.advice();
    page.raw("<dl class=\"facts\">\n");
    fact(page, "Finished", advice.sentences("Trials"));
    fact(page, "Settings", set(input));
    fact(page, "How sure", sure(input, headline));
    fact(page, "Price", price(input));
    fact(page, "Guard", advice.sentences("Guard"));
    fact(page, "Capacity", advice.sentences("Capacity"));
    fact(page, "Holds for", advice.sentences("Holds for"));
    fact(page, "Measured", List.of(measured(input)));
    fact(page, "Host now", advice.sentences("Host"));
    page.raw("</dl>\n");
  }

  /** Returns the costs that the table does not show; a tune's table has no other metric. */
  private static List<String> price(PageInput input) {
    return Stream.of(input.tune().isPresent() ? "Price" : "", "Waits")
        .flatMap(label -> input.advice().sentences(label).stream())
        .toList();
  }

  private static List<String> set(PageInput input) {
    return input
        .tune()
        .map(PageTune::settings)
        .orElseGet(
            () ->
                input
                    .recommendation()
                    .candidate()
                    .map(profile -> Phrases.settings(input.experiment(), profile))
                    .filter(text -> !text.isEmpty())
                    .map(List::of)
                    .orElse(List.of()));
  }

  private static List<String> sure(PageInput input, Headline headline) {
    if (input.tune().isPresent()) {
      return input.tune().get().certainty();
    }
    List<String> grade = input.advice().sentences("How sure");
    return grade.isEmpty() ? headline.openSummary() : grade;
  }

  /** Appends a fact with a paragraph per sentence; nothing without any. */
  static void fact(Html page, String name, List<String> sentences) {
    if (!sentences.isEmpty()) {
      page.raw("<div>").element("dt", name).raw("<dd>");
      sentences.forEach(sentence -> page.element("p", Html.typeset(sentence)));
      page.raw("</dd></div>\n");
    }
  }

  /** Returns when the windows were measured, how long that took, and how many count. */
  private static String measured(PageInput input) {
    List<TrialResult> results = input.results();
    Attempts attempts = new Attempts(results);
    String counted =
        "%d of %s valid"
            .formatted(
                attempts.trials() - attempts.excluded(),
                Plural.of(attempts.trials(), "finished " + input.summary().unit()));
    Optional<Instant> first =
        results.stream().map(result -> result.warmUp().start()).min(Instant::compareTo);
    Optional<Instant> last =
        results.stream().map(result -> result.window().end()).max(Instant::compareTo);
    if (first.isEmpty() || last.isEmpty()) {
      return "nothing yet";
    }
    Duration time = Duration.between(first.get(), last.get());
    String span =
        time.toHours() > 0
            ? "%d h %d min".formatted(time.toHours(), time.toMinutesPart())
            : "%d min".formatted(Math.max(1, Math.round(time.toSeconds() / 60.0)));
    return input.summary().origin().isSimulated()
        ? "nothing; simulated in virtual time (%s): %s".formatted(span, counted)
        : "%s, %s to %s%s UTC (%s): %s"
            .formatted(
                DAY.format(first.get()),
                TIME.format(first.get()),
                DAY.format(first.get()).equals(DAY.format(last.get()))
                    ? ""
                    : DAY.format(last.get()) + ", ",
                TIME.format(last.get()),
                span,
                counted);
  }

  private static void commands(Html page, PageAdvice advice) {
    advice.sentences("Apply").stream()
        .filter(sentence -> !advice.apply().contains(sentence) && !sentence.endsWith(":"))
        .forEach(sentence -> page.element("p class=\"aside\"", "Apply: " + sentence));
    if (!advice.apply().isEmpty()) {
      page.raw("<div class=\"commands\">\n");
      lines(page, "Apply by hand, on a host with the settings found", advice.apply());
      lines(page, "Undo by hand", advice.undo());
      page.raw("</div>\n");
    }
  }

  private static void lines(Html page, String title, List<String> commands) {
    page.raw("<figure>")
        .element("figcaption", title)
        .raw("<pre tabindex=\"0\">")
        .say(String.join("\n", commands))
        .raw("</pre></figure>\n");
  }

  /** The open questions. */
  record Headline(Experiment experiment, Recommendation facts) {
    /** Returns how many comparisons are open, and what would decide the first of them. */
    List<String> openSummary() {
      List<String> open = notShown();
      if (primaries().isEmpty()) {
        return List.of("nothing was compared");
      }
      return open.isEmpty()
          ? List.of("every comparison is decided")
          : List.of(
              "%s undecided, %s".formatted(Plural.of(open.size(), "comparison"), open.get(0)));
    }

    /** Returns the unclear comparisons and the repetitions that would decide them, fewest first. */
    public List<String> notShown() {
      return primaries().stream()
          .filter(c -> c.verdict() == Verdict.UNCLEAR)
          .sorted(
              Comparator.comparingInt((Comparison c) -> c.moreBlocks().orElse(Integer.MAX_VALUE)))
          .map(Headline::open)
          .toList();
    }

    private static String open(Comparison c) {
      String unit = c.means().basis().isSwitched() ? c.means().basis().unit() : "repetition";
      String needed =
          c.moreBlocks().isPresent()
              ? "%s of %s would decide assuming the same effect and variance"
                  .formatted(
                      Plural.of(c.moreBlocks().getAsInt(), "more " + unit),
                      c.means().basis().isSwitched() ? "all cells at this load" : "both cells")
              : Double.isFinite(c.change().low())
                  ? "undecidable even with 1,000 %ss".formatted(unit)
                  : "one %s gives no variance; run at least two more".formatted(unit);
      return c.profile() + c.load().at() + ": " + Phrases.effect(c) + "; " + needed;
    }

    private List<Comparison> primaries() {
      return facts.comparisons().stream()
          .filter(comparison -> comparison.kind() == Comparison.Kind.PRIMARY)
          .toList();
    }
  }
}
