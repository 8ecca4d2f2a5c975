package io.slicewise.report.page;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.report.Reports;
import io.slicewise.report.page.PageInput.PageAdvice;
import io.slicewise.report.page.PageInput.PageRun;
import io.slicewise.report.page.PageInput.PageTune;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects the page's layout in a real browser: the answer fits one screen and is not cut on a
 * narrow one, paper is short, has every chart and names its load and metric, no label covers
 * another on a narrow screen, no table is clipped on a wide one, no message, no request, no serious
 * fault for people who see or point otherwise; for reports, sessions of a tune, comparisons,
 * histories and studies.
 */
@InBrowser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("lab")
@Tag("thorough")
class PageRulesTest {
  private static final String TUNE =
      """
      {"question": "lowest p95", "knobs": ["web weight", "db weight"], "races": [{
        "metric": "p95",
        "loads": [{"users": 50}], "choice": "w512-c0", "confirmed": true,
        "path": [{"block": 1}, {"block": 2}],
        "departures": [{"name": "w1024-c0", "block": 1, "reason": "cannot be the best"}],
        "confirmation": {"choice": "w512-c0", "effect": {"mean": -0.2, "low": -0.3, "high": -0.1},
          "broken": []},
        "points": [
          {"name": "w256-c0", "point": [256, 256], "observations": 0, "change": 0, "simulated": 0},
          {"name": "w512-c0", "point": [512, 256], "observations": 2, "change": -0.21,
            "simulated": -0.1},
          {"name": "w1024-c0", "point": [1024, 256], "observations": 1, "change": 0.4,
            "simulated": -0.05},
          {"name": "tune-001", "point": [64, 1024], "observations": 0, "change": null,
            "simulated": 0.3}]}]}
      """;

  private static final String CLIPPED =
      "[...document.querySelectorAll('.wide')].filter(w => w.scrollWidth > w.clientWidth +"
          + " 1).map(w => w.getAttribute('aria-label') + ' ' + w.scrollWidth)";
  private static final String OVERLAPS =
      "[...document.querySelectorAll('.canvas svg')].flatMap(svg => {"
          + " const t = [...svg.querySelectorAll('text')].filter(x =>"
          + " x.textContent.trim()).map(x => [x.closest('figure').id + ' ' +"
          + " x.textContent, x.getBoundingClientRect()]); return t.flatMap(([a, p], i)"
          + " => t.slice(i + 1).filter(([, q]) => Math.min(p.right, q.right) -"
          + " Math.max(p.left, q.left) > 2 && Math.min(p.bottom, q.bottom) -"
          + " Math.max(p.top, q.top) > 4).map(([b]) => a + ' / ' + b)); })";
  private static final String CUT =
      "[...document.querySelectorAll('#answer *')].filter(e => e.clientWidth > 0"
          + " && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1 &&"
          + " getComputedStyle(e).overflowY !== 'visible' || e.getBoundingClientRect().right >"
          + " innerWidth)).map(e => e.tagName + ' ' + e.textContent)";
  private static final String DRAWN =
      "[...document.querySelectorAll('.chart')].filter(c => c.querySelectorAll('.canvas svg"
          + " path').length < 3 || c.querySelector('.canvas').clientHeight < 40 ||"
          + " c.querySelector('.canvas svg').getAttribute('width') > 700).map(c => c.id)";
  private static final String CAPTIONS =
      "[...document.querySelectorAll('.chart')].map(c => c.innerText.replace(/\\s+/g, ' '))";

  private Browser browser;
  private final Map<String, Path> pages = new HashMap<>();

  @BeforeAll
  void writePages(@TempDir Path directory) throws IOException {
    browser = Browser.shared();
    RunDirectory one = run(directory.resolve("one"), "50");
    pages.put("one", Reports.write(one).html());
    pages.put(
        "five", Reports.write(run(directory.resolve("five"), "25, 50, 100, 500, 800")).html());
    pages.put("paper", Reports.write(run(directory.resolve("paper"), "50, 300")).html());
    pages.put("sessions", tuned(one, directory));
    Path before = night(directory.resolve("night-a"), 1, 4, 1, 1);
    Path after = night(directory.resolve("night-b"), 2, 4, 0.82, 1.12);
    pages.put("compare", written("compare", directory, before, after));
    Path nights = directory.resolve("nights");
    for (int day = 1; day <= 16; day++) {
      String name = String.format(Locale.ROOT, "night-%02d", day);
      night(nights.resolve(name), day, 2, day < 9 ? 0.9 : 1.05, 1);
    }
    pages.put("study", StudyFiguresTest.overhead(directory));
    pages.put("history", written("history", directory, nights, "--users", "300"));
  }

  /** Runs a command that writes a page. */
  private static Path written(String command, Path directory, Object... arguments) {
    Path page = directory.resolve(command + ".html");
    List<String> words = new ArrayList<>(List.of(command));
    Stream.of(arguments).map(String::valueOf).forEach(words::add);
    words.addAll(List.of("--page", page.toString()));
    assertThat(CommandLines.run(words.toArray(String[]::new)).exit()).isZero();
    return page;
  }

  /** A night of w256, its control, w512 and both, whose p95 is that many times 200 ms. */
  private static Path night(Path root, int day, int blocks, double... factors) {
    RecordedRun run =
        RecordedRun.begin(
            root, RecordedRun.EXPERIMENT, Instant.parse("2026-10-01T21:00:00Z").plus(day, DAYS));
    Random random = new Random(day);
    double[] all = {factors.length > 1 && blocks < 3 ? factors[0] : 1, 1, factors[0], factors[1]};
    int number = 1;
    for (int block = 1; block <= blocks; block++) {
      for (int users : List.of(50, 300)) {
        for (int i = 0; i < all.length; i++) {
          double p95 = 200 * all[i] * Math.exp(0.005 * random.nextGaussian());
          String profile = List.of("w256", "again", "w512", "both").get(i);
          run.trial(number++, profile, users, block, users * 1000 / p95, p95);
        }
      }
    }
    return run.end().root();
  }

  /** A run of four profiles, one of them a control; of 24 trials for two loads. */
  private static RunDirectory run(Path directory, String users) {
    return SyntheticRun.write(
        directory,
        Sweeps.grid("night", users, 3, new int[] {256, 512, 1024}, new int[] {0}),
        20,
        20_000,
        List.of("home"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "five", "sessions", "compare", "history", "study"})
  void everyPageKeepsTheRules(String name) {
    browser.look(1400, "light", "screen");
    browser.open(pages.get(name));
    assertThat(number("document.getElementById('answer').getBoundingClientRect().bottom"))
        .isLessThanOrEqualTo(700);
    assertThat(number("document.querySelector('h2.answer').clientHeight"))
        .as("at most two lines")
        .isLessThan(75);
    assertThat(browser.count("#answer details")).isZero();
    assertThat(strings(CLIPPED)).as("clipped tables").isEmpty();
    if (!name.equals("five")) {
      assertThat(browser.seriousViolations("html")).isEmpty();
    }
    browser.look(1400, "dark", "screen");
    assertThat(browser.seriousViolations("html", "color-contrast")).isEmpty();
    browser.look(420, "light", "screen");
    assertThat(number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(420);
    assertThat(strings(CUT)).as("parts of the answer that are cut").isEmpty();
    assertThat(strings(OVERLAPS)).as("labels that cover each other").isEmpty();
    assertThat(browser.console()).isEmpty();
    assertThat(browser.requests()).hasSize(1);
    browser.look(794, "dark", "print");
    assertThat(strings(CAPTIONS).isEmpty()).isEqualTo(name.equals("study"));
    assertThat(strings(DRAWN)).as("charts that paper lacks or cuts").isEmpty();
    assertThat(strings(CAPTIONS))
        .allSatisfy(
            caption ->
                assertThat(caption)
                    .contains("Metric: ")
                    .containsPattern("(Load|Session|Race): .*\\d users"));
  }

  @Test
  void paperIsShort() {
    browser.look(1400, "light", "");
    browser.open(pages.get("paper"));
    assertThat(browser.sheets()).isBetween(1, 6);
    browser.open(pages.get("sessions"));
    assertThat(browser.sheets()).isBetween(1, 6);
    browser.open(pages.get("compare"));
    assertThat(browser.sheets()).isBetween(1, 2);
    browser.open(pages.get("history"));
    assertThat(browser.sheets()).isBetween(1, 3);
    browser.look(794, "dark", "print");
    assertThat(number("document.querySelectorAll('.choices')[0].getClientRects().length")).isZero();
  }

  @Test
  void comparisonsAndHistoriesShowTheirChangesInAChartAndATable() {
    browser.look(1400, "light", "screen");
    browser.open(pages.get("compare"));
    assertThat(browser.find("#answer h2").getText()).startsWith("WORSE: both at 50, 300 users");
    assertThat(browser.find("h1").getText()).isEqualTo("shop, compared");
    assertThat(browser.find("#chart-forest h3").getText()).startsWith("Change from night-a");
    List<List<String>> changes = browser.table("#chart-forest .same-numbers");
    assertThat(changes).hasSize(1 + 3 * 2);
    assertThat(browser.table("#answer .wide").get(1).toString()).contains("both", "worse");
    assertThat(browser.table("#tables .wide").toString()).contains("throughput", "−");
    assertThat(browser.find("#trust").getText()).contains("night-a", "night-b", "Xen 4.17");
    browser.open(pages.get("history"));
    assertThat(browser.find("#answer h2").getText())
        .startsWith("NO NEW CHANGE of p95, still 1")
        .contains("% worse since night-09, and 1 more");
    assertThat(browser.find("#answer table").getText()).contains("still worse");
    assertThat(browser.count("#chart-series-0 svg path")).isGreaterThan(20);
    List<List<String>> nights = browser.table("#chart-series-0 .same-numbers");
    assertThat(nights).hasSize(1 + 16);
    assertThat(nights.get(9)).first().isEqualTo("night-09");
    assertThat(nights.get(9)).last().asString().matches("\\+1\\d\\.\\d % worse");
  }

  @Test
  void theForestPlotIsFirstAndSaysWhatTheComparisonsSay() {
    browser.look(1400, "light", "screen");
    browser.open(pages.get("five"));
    assertThat(browser.find(".chart").getAttribute("id")).isEqualTo("chart-forest");
    assertThat(browser.count("#chart-forest svg path")).isGreaterThan(15);
    List<List<String>> rows = browser.table("#chart-forest .same-numbers");
    assertThat(rows).hasSize(1 + 3 * 5);
    assertThat(rows.get(rows.size() - 1).get(0)).as("controls last").isEqualTo("again");
    List<String> inAnswer = browser.table("#answer .wide").get(1);
    assertThat(rows.subList(1, rows.size()))
        .anySatisfy(
            row -> assertThat(inAnswer.toString()).contains(row.get(2) + " % " + row.get(3)));
    assertThat(browser.table("#chart-capacity .same-numbers")).hasSize(1 + 4 * 5);
  }

  @Test
  void profileHasOneColourInAllCharts() {
    browser.look(1400, "light", "screen");
    browser.open(pages.get("five"));
    for (String profile : List.of("w512-c0", "w1024-c0")) {
      List<String> colours = colours(profile);
      assertThat(colours).as("charts and colours of %s", profile).hasSizeGreaterThan(1);
      assertThat(colours.stream().map(found -> found.substring(found.indexOf(' '))).distinct())
          .as("colours of %s in %s", profile, colours)
          .hasSize(1);
    }
  }

  @Test
  void sessionsAndATuneHaveTheirCharts() {
    browser.look(1400, "light", "screen");
    browser.open(pages.get("sessions"));
    assertThat(browser.find("#answer h2").getText()).startsWith("No answer yet: ");
    assertThat(browser.find("#answer table").getText()).contains("200 → 160", "confirmed");
    for (String chart : List.of("race", "surface", "confirmation", "course")) {
      assertThat(browser.count("#chart-" + chart + " svg path")).as(chart).isGreaterThan(3);
    }
    List<List<String>> race = browser.table("#chart-race .same-numbers");
    assertThat(race)
        .anySatisfy(
            row ->
                assertThat(row)
                    .startsWith("★ w512-c0", "race", "2")
                    .contains("chosen and confirmed"));
    assertThat(race)
        .anySatisfy(
            row -> assertThat(row).contains("w1024-c0", "left after block 1: cannot be the best"));
    assertThat(browser.table("#chart-surface .same-numbers"))
        .anySatisfy(row -> assertThat(row).startsWith("tune-001", "64", "1024", "+30.0", "–"));
    assertThat(browser.find("#trial-list").getText()).contains("12 of 12 windows shown");
    List<List<String>> windows = browser.table("#chart-course .same-numbers");
    assertThat(windows).hasSize(1 + 4 * 3);
    assertThat(windows.get(0)).startsWith("block", "window", "profile");
    assertThat(windows.get(1)).startsWith("1", "1");
    browser.find("#chart-course .same-numbers tbody tr:nth-child(3) button").click();
    assertThat(browser.find("#drill-title").getText()).contains("at 50 users");
  }

  /** The page of a run whose blocks are those of one session, with the report of a tune. */
  private static Path tuned(RunDirectory run, Path directory) throws IOException {
    Experiment experiment = ExperimentFiles.read(run.experimentFile());
    List<TrialResult> results = run.results().stream().map(PageRulesTest::inSession).toList();
    Recommendation facts = Recommendation.from(experiment, results, Question.suitedTo(results));
    JsonNode report = Json.mapper().readTree(TUNE);
    PageTune tune =
        new PageTune(
            List.of("w512-c0: web weight 512"),
            List.of("measured over 3 blocks"),
            List.of("lowest p95; 3 candidates"),
            List.of(
                new PageTune.Confirmed(
                    "50 users", "w512-c0", "200 → 160", "−20.0 % [−30.0, −10.0]", "confirmed")),
            report);
    String html =
        Page.of(
            new PageInput(
                new PageRun("run", experiment, results, run.environments(), run.events()),
                "run",
                "run",
                Summaries.summarise(experiment, results, List.of()),
                facts,
                new PageAdvice(
                    Answers.of(RunEvidence.of(run.load())), List.of(), List.of(), List.of()),
                Optional.of(tune),
                List.of(),
                List.of()));
    return Files.writeString(directory.resolve("sessions.html"), html);
  }

  private static TrialResult inSession(TrialResult result) {
    WindowPlace place = new WindowPlace(1, result.trial().block(), result.trial().number());
    return new TrialResult(
        result.trial().at(place),
        result.findings(),
        result.remarks(),
        result.times(),
        result.host(),
        result.loaded(),
        result.observations());
  }

  /** Returns the charts with a series of a profile, and its colour in each. */
  private List<String> colours(String profile) {
    return strings(
        """
        [...document.querySelectorAll('.canvas')].flatMap(c =>
          (echarts.getInstanceByDom(c)?.getOption().series || [])
            .filter(s => s.name === '%s')
            .map(s => s.itemStyle?.color || s.lineStyle?.color || s.color)
            .filter(x => typeof x === 'string')
            .map(x => c.closest('figure').id + ' ' + x))
        """
            .formatted(profile));
  }

  private double number(String script) {
    return ((Number) browser.driver().executeScript("return " + script)).doubleValue();
  }

  private List<String> strings(String script) {
    Object found = browser.driver().executeScript("return " + script);
    return ((List<?>) found).stream().map(String::valueOf).toList();
  }
}
