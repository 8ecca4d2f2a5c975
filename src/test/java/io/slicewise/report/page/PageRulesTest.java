package io.slicewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.json.Json;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.Recommendation;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.report.Reports;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import io.slicewise.run.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the page's layout in a real browser: the answer fits one screen, paper is short and
 * names load and metric of each chart, no label covers another on a narrow screen, no table is
 * clipped on a wide one; and the charts of sessions and of a tune.
 */
@KeepsTheMachineBusy
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageRulesTest {
  private static final String TUNE =
      """
      {"question": "lowest p95", "knobs": ["web weight", "db weight"], "races": [{
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

  private Browser browser;
  private Path one;
  private Path five;
  private Path sessions;

  @BeforeAll
  void writePages(@TempDir Path directory) throws IOException {
    browser = Browser.start();
    one = Reports.write(run(directory.resolve("one"), "50")).html();
    five = Reports.write(run(directory.resolve("five"), "25, 50, 100, 500, 800")).html();
    sessions = tuned(run(directory.resolve("sessions"), "50"), directory);
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

  @AfterAll
  void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void theAnswerFitsOneScreenForOneLoadAndForFive() {
    for (Path page : List.of(one, five)) {
      browser.look(1400, "light", "screen");
      browser.open(page);
      assertThat(number("document.getElementById('answer').getBoundingClientRect().bottom"))
          .as(page.toString())
          .isLessThanOrEqualTo(900);
      assertThat(number("document.querySelector('h2.answer').getClientRects().length"))
          .isEqualTo(1);
      assertThat(number("document.querySelector('h2.answer').clientHeight")).isLessThan(45);
      assertThat(browser.count("#answer details")).isZero();
    }
    assertThat(browser.table("#answer .wide")).hasSize(1 + 5);
  }

  @Test
  void theForestPlotIsFirstAndSaysWhatTheComparisonsSay() {
    browser.look(1400, "light", "screen");
    browser.open(five);
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
  void paperIsShortAndNamesMetricAndLoadOfEachChart(@TempDir Path directory) {
    Path page = Reports.write(run(directory.resolve("run"), "50, 300")).html();
    browser.look(1400, "light", "");
    browser.open(page);
    assertThat(browser.sheets()).isBetween(1, 6);
    browser.look(794, "dark", "print");
    List<String> captions =
        strings(
            "[...document.querySelectorAll('.chart')].map(c => c.innerText.replace(/\\s+/g, ' '))");
    assertThat(captions)
        .hasSizeGreaterThan(5)
        .allSatisfy(
            caption ->
                assertThat(caption)
                    .contains("Metric: ")
                    .containsPattern("(Load|Session|Race): .*(50|300) users"));
    assertThat(number("document.querySelectorAll('.choices')[0].getClientRects().length")).isZero();
  }

  @Test
  void noLabelCoversAnotherOnANarrowScreenAndNothingIsWiderThanIt() {
    for (Path page : List.of(one, five, sessions)) {
      browser.look(420, "light", "screen");
      browser.open(page);
      assertThat(number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(420);
      assertThat(
              strings(
                  "[...document.querySelectorAll('.canvas svg')].flatMap(svg => {"
                      + " const t = [...svg.querySelectorAll('text')].filter(x =>"
                      + " x.textContent.trim()).map(x => [x.closest('figure').id + ' ' +"
                      + " x.textContent, x.getBoundingClientRect()]); return t.flatMap(([a, p], i)"
                      + " => t.slice(i + 1).filter(([, q]) => Math.min(p.right, q.right) -"
                      + " Math.max(p.left, q.left) > 2 && Math.min(p.bottom, q.bottom) -"
                      + " Math.max(p.top, q.top) > 4).map(([b]) => a + ' / ' + b)); })"))
          .isEmpty();
    }
  }

  @Test
  void noCellIsClippedOnAWideScreen() {
    for (Path page : List.of(one, five, sessions)) {
      browser.look(1400, "light", "screen");
      browser.open(page);
      assertThat(
              strings(
                  "[...document.querySelectorAll('.wide')].filter(w => w.scrollWidth >"
                      + " w.clientWidth + 1).map(w => w.getAttribute('aria-label') + ' ' +"
                      + " w.scrollWidth)"))
          .isEmpty();
    }
  }

  @Test
  void sessionsAndATuneHaveTheirChartsAndNoFault() {
    browser.look(1400, "light", "screen");
    browser.open(sessions);
    assertThat(browser.find("#answer h2").getText()).isEqualTo("Set w512-c0: confirmed");
    assertThat(browser.find("#answer table").getText()).contains("200 → 160", "confirmed");
    for (String chart : List.of("race", "surface", "confirmation", "course")) {
      assertThat(browser.count("#chart-" + chart + " svg path")).as(chart).isGreaterThan(3);
    }
    List<List<String>> race = browser.table("#chart-race .same-numbers");
    assertThat(race.get(1)).startsWith("w512-c0", "2", "1").contains("chosen and confirmed");
    assertThat(race)
        .anySatisfy(
            row -> assertThat(row).contains("w1024-c0", "left after block 1: cannot be the best"));
    assertThat(browser.table("#chart-surface .same-numbers"))
        .anySatisfy(row -> assertThat(row).startsWith("tune-001", "64", "1024", "+30.0", "–"));
    List<List<String>> windows = browser.table("#chart-course .same-numbers");
    assertThat(windows).hasSize(1 + 4 * 3);
    assertThat(windows.get(0)).startsWith("block", "window", "profile");
    assertThat(windows.get(1)).startsWith("1", "1");
    browser.find("#chart-course .same-numbers tbody tr:nth-child(3) button").click();
    assertThat(browser.find("#drill-title").getText()).contains("at 50 users");
    assertThat(browser.console()).isEmpty();
    assertThat(browser.requests()).hasSize(1);
    assertThat(browser.seriousViolations("main")).isEmpty();
  }

  /** The page of a run whose blocks are those of one session, with the report of a tune. */
  private static Path tuned(RunDirectory run, Path directory) throws IOException {
    Experiment experiment = ExperimentFiles.read(run.experimentFile());
    List<TrialResult> results = run.results().stream().map(PageRulesTest::inSession).toList();
    Recommendation facts = Recommendation.from(experiment, results, Question.suitedTo(results));
    JsonNode report = Json.mapper().readTree(TUNE);
    PageTune tune =
        new PageTune(
            "Set w512-c0: confirmed",
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
                "run",
                "run",
                "run",
                experiment,
                results,
                Summaries.summarise(experiment, results, List.of()),
                facts,
                new PageAdvice(List.of(), List.of(), List.of()),
                Optional.of(tune),
                run.environments(),
                run.events(),
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

  private double number(String script) {
    return ((Number) browser.driver().executeScript("return " + script)).doubleValue();
  }

  private List<String> strings(String script) {
    Object found = browser.driver().executeScript("return " + script);
    return ((List<?>) found).stream().map(String::valueOf).toList();
  }
}
