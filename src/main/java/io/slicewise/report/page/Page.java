package io.slicewise.report.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.base.json.Json;
import io.slicewise.evidence.analysis.Compared;
import io.slicewise.evidence.analysis.History;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.run.Origin;
import io.slicewise.stats.Band;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A whole page as one file: a report, a comparison, a history or a study.
 *
 * <p>Its content security policy allows the two scripts by their hashes and nothing else: no
 * requests, no inline handlers, no {@code eval}. Inline styles are allowed because the chart
 * library needs them; they cannot fetch anything, since no image or font source is allowed. The
 * data is JSON in a non-script block with every {@code <} escaped, and the scripts insert every
 * label as text.
 */
public final class Page {
  private static final String NO_SCRIPTS =
      "<noscript><p>The charts need a browser with scripts enabled; all their numbers are in the"
          + " tables below or in the files next to this page.</p></noscript>\n";
  private static final History NO_SERIES =
      new History(Metric.MEAN, Band.DEFAULT, 0.05, List.of(), List.of());
  private static final Section EFFECT =
      Section.drawn("overview", "Effect", "Effect and capacity", "overview-list");

  private Page() {}

  /** Returns the page of a run. */
  public static String of(PageInput input) {
    String trials = input.summary().unit().equals("window") ? "Windows" : "Trials";
    return of(
        input.title(),
        input.headline().replaceAll(" {2,}", " · "),
        input.summary().origin(),
        Stream.of(
                Optional.of(AnswerSection.of(input)),
                Optional.of(EFFECT),
                Optional.of(EvidenceSection.of(input)),
                Optional.of(
                    new Section(
                        "charts",
                        "Charts",
                        "Charts",
                        page -> page.raw(NO_SCRIPTS).raw("<div id=\"chart-list\"></div>\n"))),
                input
                    .study()
                    .map(
                        study ->
                            new Section(
                                "study", "Study", "Study", page -> page.raw(study.markup()))),
                Optional.of(tables(input.tables())),
                Optional.of(Section.drawn("trials", trials, trials, "trial-list")),
                Optional.of(Trust.of(input)))
            .flatMap(Optional::stream)
            .toList(),
        ChartData.of(input));
  }

  /** Returns the page of a comparison. */
  public static String of(PlainInput input, Compared compared) {
    return of(
        input.title(),
        input.lead(),
        input.origin(),
        List.of(
            input.answer(page -> EffectTable.append(page, compared)),
            Section.drawn("overview", "Effect", "Effect", "overview-list"),
            input.evidenceSection(),
            tables(input.tables()),
            input.provenance()),
        ChartData.of(compared, input.origin()));
  }

  /** Returns the page of a metric over many runs. */
  public static String of(PlainInput input, History history) {
    return of(
        input.title(),
        input.lead(),
        input.origin(),
        List.of(
            input.answer(page -> SeriesTable.append(page, history)),
            Section.drawn("overview", "Series", "Series", "overview-list"),
            input.evidenceSection(),
            input.provenance()),
        ChartData.of(input.title(), history, input.origin()));
  }

  /** Returns the page of a study, with the markup of its figures. */
  public static String of(PlainInput input, String figures) {
    return of(
        input.title(),
        input.lead(),
        input.origin(),
        List.of(
            input.answer(page -> {}),
            new Section("study", "Figures", "Figures", page -> page.raw(figures)),
            tables(input.tables()),
            input.evidenceSection(),
            input.provenance()),
        ChartData.of(input.title(), NO_SERIES, input.origin()));
  }

  private static Section tables(List<String> tables) {
    return new Section("tables", "Tables", "Tables", page -> tables.forEach(page::raw));
  }

  private static String of(
      String title, String lead, Origin origin, List<Section> sections, ChartData data) {
    String charts = Assets.charts();
    String script = Assets.script();
    Html page = new Html();
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .raw("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .raw("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ")
        .raw("script-src " + Assets.hash(charts) + " " + Assets.hash(script) + "\">\n")
        .element("title", title)
        .raw("<style>\n" + Assets.style() + "</style>\n</head>\n<body>\n");
    Masthead.append(page, title, lead, origin, sections);
    page.raw("<main id=\"main\" tabindex=\"-1\">\n");
    sections.forEach(section -> section.append(page));
    page.raw("</main>\n<dialog id=\"drill\" aria-labelledby=\"drill-title\"></dialog>\n")
        .raw("<script type=\"application/json\" id=\"data\">")
        .raw(json(data))
        .raw("</script>\n<script>" + charts + "</script>\n<script>" + script + "</script>\n");
    return page.raw("</body>\n</html>\n").toString();
  }

  /** Returns JSON that cannot end its script block or open a comment or another script in it. */
  private static String json(ChartData data) {
    try {
      return Json.mapper()
          .writer(new VisibleCharacters())
          .writeValueAsString(data)
          .replace("<", "\\u003c");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the page's data has no JSON form", e);
    }
  }
}
