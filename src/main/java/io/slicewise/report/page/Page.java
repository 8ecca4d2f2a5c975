package io.slicewise.report.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.Visible;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.evidence.runs.History;
import io.slicewise.evidence.runs.History.Night;
import io.slicewise.evidence.runs.History.Series;
import io.slicewise.report.page.AnswerTable.Column;
import io.slicewise.report.page.PageInput.PageStudy;
import io.slicewise.report.table.Html;
import io.slicewise.run.Origin;
import io.slicewise.stats.Band;
import io.slicewise.stats.ChangePoints;
import io.slicewise.stats.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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
                Stream.of(
                    AnswerSection.of(input),
                    EFFECT,
                    EvidenceSection.of(input),
                    new Section(
                        "charts",
                        "Charts",
                        "Charts",
                        page -> page.raw(NO_SCRIPTS).raw("<div id=\"chart-list\"></div>\n"))),
                input.studies().stream().map(Page::study),
                Stream.of(
                    tables(input.tables()),
                    Section.drawn("trials", trials, trials, "trial-list"),
                    Trust.of(input)))
            .flatMap(sections -> sections)
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

  private static Section study(PageStudy study) {
    String id = study.name().toLowerCase(Locale.ROOT);
    return new Section(id, study.name(), study.name(), page -> page.raw(study.markup()));
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

  /** The scripts and the style embedded in every page. */
  private static final class Assets {
    private static final String CHARTS =
        "/META-INF/resources/_static/echarts/5.6.0/dist/echarts.min.js";

    /** The scripts in order of their dependencies; all share one scope. */
    private static final List<String> MODULES =
        List.of(
            "dom.js",
            "numbers.js",
            "theme.js",
            "model.js",
            "marks.js",
            "chart.js",
            "forest.js",
            "capacity.js",
            "past.js",
            "load.js",
            "percentiles.js",
            "shares.js",
            "repetitions.js",
            "order.js",
            "sessions.js",
            "pairs.js",
            "tune.js",
            "grid.js",
            "trial.js",
            "trials.js",
            "tables.js",
            "main.js");

    private Assets() {}

    /** Returns the minified chart library. */
    static String charts() {
      return read(CHARTS);
    }

    /** Returns the page's scripts in their own scope. */
    static String script() {
      StringBuilder script = new StringBuilder("(() => {\n\"use strict\";\n");
      MODULES.forEach(name -> script.append(read(name)).append('\n'));
      return script.append("})();\n").toString();
    }

    static String style() {
      return read("page.css");
    }

    /** Returns the script's hash for a content security policy. */
    static String hash(String script) {
      return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(script)) + "'";
    }

    private static String read(String name) {
      try (InputStream in = Assets.class.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalStateException(name + " is missing from the class path");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The top of a page: title, origin and navigation. */
  private static final class Masthead {
    private Masthead() {}

    static void append(
        Html page, String title, String lead, Origin origin, List<Section> sections) {
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

  /** The table of a history's first screen: a row per series, those that are worse first. */
  private static final class SeriesTable {
    private static final int MOST_ROWS = 8;

    private SeriesTable() {}

    static void append(Html page, History history) {
      List<Series> series =
          history.series().stream()
              .sorted(Comparator.comparingInt(SeriesTable::order).thenComparing(SeriesTable::last))
              .toList();
      String unit = history.metric().unit();
      new AnswerTable(
              "Newest value and change of each series",
              List.of(
                  Column.name("profile"),
                  Column.name("load"),
                  Column.figure("runs"),
                  Column.figure("newest %s, %s (95 %% CI)".formatted(history.metric().key(), unit)),
                  Column.figure("change"),
                  Column.name("since"),
                  Column.verdict("verdict")),
              series.stream().limit(MOST_ROWS).map(SeriesTable::row).toList())
          .append(page);
      if (series.size() > MOST_ROWS) {
        page.element("p", (series.size() - MOST_ROWS) + " more series are drawn below.");
      }
    }

    private static int order(Series series) {
      return series
          .standing()
          .map(standing -> standing.verdict() == Verdict.WORSE ? 0 : 1)
          .orElse(2);
    }

    /** Orders series by the end of their runs, the newest first. */
    private static long last(Series series) {
      return -series.newest().begun().getEpochSecond();
    }

    private static List<String> row(Series series) {
      Night newest = series.newest();
      boolean fresh = series.shifts().stream().anyMatch(History.Shift::fresh);
      String quiet =
          series.nights().size() < ChangePoints.FEWEST
              ? "fewer than " + ChangePoints.FEWEST
              : "no change";
      return List.of(
          series.profile(),
          series.load().text(),
          String.valueOf(series.nights().size()),
          "%s [%s, %s]"
              .formatted(
                  NumberText.of(newest.value()),
                  NumberText.of(newest.low()),
                  NumberText.of(newest.high())),
          series.standing().map(one -> Phrases.signed(one.percent()) + " %").orElse("–"),
          series.standing().map(History.Standing::since).orElse("–"),
          series
              .standing()
              .map(one -> (fresh ? "new: " : "still ") + EnumName.of(one.verdict()))
              .orElse(quiet));
    }
  }

  /**
   * Writes control characters of labels into the page's data so that its scripts show them as
   * escapes, such as {@code \\u202e}, instead of obeying them.
   */
  static final class VisibleCharacters extends CharacterEscapes {
    private static final long serialVersionUID = 1L;

    @Override
    public int[] getEscapeCodesForAscii() {
      int[] codes = standardAsciiEscapesForJSON();
      for (char c = 0; c < codes.length; c++) {
        if (Visible.steers(c) && c != '\n' && c != '\t') {
          codes[c] = ESCAPE_CUSTOM;
        }
      }
      return codes;
    }

    /** Returns the escape of an escape, which JSON turns into its visible text. */
    @Override
    public SerializableString getEscapeSequence(int c) {
      return Visible.steers((char) c)
          ? new SerializedString("\\" + Visible.escape((char) c))
          : null;
    }
  }
}
