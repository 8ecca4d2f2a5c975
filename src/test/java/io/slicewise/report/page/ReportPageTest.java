package io.slicewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.report.Reports;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * Protects the page as a reader meets it, in a real browser: it draws without an error or a
 * request, says what summary.json says, can be sorted, filtered, walked by keys and drilled into,
 * and looks right in every light.
 */
@InBrowser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("lab")
@Tag("thorough")
class ReportPageTest {
  private static final long MOST_BYTES = 3_000_000;

  private Browser browser;
  private Path run;
  private Path page;

  @BeforeAll
  void writeReport(@TempDir Path directory) {
    browser = Browser.shared();
    RunDirectory written =
        SyntheticRun.write(
            directory.resolve("run"),
            Sweeps.grid("night", "50, 300", 3, new int[] {256, 512, 1024}, new int[] {0, 50}),
            30,
            20_000,
            List.of("home", "<b onmouseover=alert(1)>buy</b>"));
    run = written.root();
    page = Reports.write(written).html();
  }

  @BeforeEach
  void openPage() {
    browser.look(1280, "light", "screen");
    browser.open(page);
  }

  @Test
  void theTablesBesideTheChartsSayWhatTheSummarySays() {
    SummaryInPage summary = new SummaryInPage(browser, run);
    summary.load("throughput", "throughput", 1);
    summary.load("response", "p95", 0);
    browser.choose("#chart-response", "Metric", "mean");
    summary.load("response", "mean", 1);
    summary.shares();
    browser.choose("#chart-shares", "Load", "50");
    summary.shares();
  }

  @Test
  void tellsNeighboursWhereTheyAreSwept(@TempDir Path directory) {
    RunDirectory swept =
        SyntheticRun.write(directory.resolve("run"), Sweeps.NEIGHBOURS, 5, 20_000, List.of("move"));
    browser.open(Reports.write(swept).html());

    assertThat(browser.console()).isEmpty();
    List<List<String>> numbers = browser.table("#chart-throughput .same-numbers");
    assertThat(numbers).hasSize(1 + 2 * 6);
    assertThat(numbers.get(0)).startsWith("profile", "users", "neighbours", "n");
    assertThat(numbers.get(6)).startsWith("w1024", "4", "2", "3");
    browser.find("#chart-throughput .same-numbers tbody tr:nth-child(6) button").click();
    assertThat(browser.find("#drill-title").getText())
        .startsWith("w1024 at 4 users with 2 neighbours");
    browser.find("#drill").sendKeys(Keys.ESCAPE);
    browser.choose("#filters", "Neighbours", "1");
    assertThat(browser.table("#tables .wide")).hasSize(1 + 4);
    assertThat(browser.find("#tables table[data-table=interference]").getText())
        .contains("% from alone", "w1024 best set")
        .containsPattern("p95 ms \\S+ \\S+ \\+[45]\\d\\.\\d \\[");
    assertThat(browser.find("#answer").getText()).contains("with 2 neighbours");
  }

  @Test
  void drawsEveryChartASweepOfAGridCanHaveWithoutAMessageOrARequest() {
    for (String chart :
        List.of(
            "forest",
            "capacity",
            "throughput",
            "response",
            "percentiles",
            "shares",
            "grid-0",
            "repetitions",
            "order")) {
      assertThat(browser.count("#chart-" + chart + " svg path")).as(chart).isGreaterThan(5);
      assertThat(browser.table("#chart-" + chart + " .same-numbers"))
          .as(chart)
          .hasSizeGreaterThan(2);
    }
    assertThat(browser.count("#tables tr.best .mark")).isPositive();
    assertThat(browser.find("#evidence").getText())
        .contains("the best set is {")
        .contains("(Hsu, 95 % at this load alone)");
    assertThat(browser.console()).isEmpty();
    assertThat(browser.requests()).containsExactly(page.toUri().toString());
    assertThat(page.toFile().length()).isLessThan(MOST_BYTES);
  }

  @Test
  void filtersAndSortsItsTables() {
    browser.choose("#filters", "Users", "300");
    browser.choose("#filters", "Profile", "w512-c0");
    assertThat(browser.table("#tables .wide"))
        .hasSize(2)
        .element(1)
        .satisfies(row -> assertThat(row.get(0)).isEqualTo("300"))
        .satisfies(row -> assertThat(row.get(1)).startsWith("w512-c0"));
    browser.choose("#filters", "Profile", "");
    browser.find("#tables thead th:nth-child(4) button").click();
    assertThat(throughputs()).isSorted().hasSize(7);
    browser.find("#tables thead th:nth-child(4) button").click();
    assertThat(throughputs()).isSortedAccordingTo((a, b) -> Double.compare(b, a));
  }

  private List<Double> throughputs() {
    List<List<String>> rows = browser.table("#tables .wide");
    return rows.subList(1, rows.size()).stream()
        .map(row -> Double.valueOf(row.get(3).substring(0, row.get(3).indexOf(' '))))
        .toList();
  }

  @Test
  void drillsIntoTheTrialsOfACellAndCloses() {
    browser.table("#chart-throughput .same-numbers");
    browser.find("#chart-throughput .same-numbers tbody tr:nth-child(2) button").click();
    assertThat(browser.find("#drill-title").getText()).startsWith("again at 50 users");
    assertThat(browser.table("#drill")).hasSize(1 + 3);
    browser.waitForCharts();
    assertThat(browser.count("#drill .canvas svg path")).isGreaterThan(5);
    assertThat(browser.find("#drill").getText()).contains("<b onmouseover=alert(1)>buy</b>");
    assertThat(browser.seriousViolations("#drill")).isEmpty();
    browser.find("#drill").sendKeys(Keys.ESCAPE);
    assertThat(browser.find("#drill").isDisplayed()).isFalse();
  }

  @Test
  void walksTheChartsByKeys() {
    var chart = browser.find("#chart-response .canvas");
    chart.sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
    assertThat(browser.find("#chart-response .point").getText())
        .startsWith("again, 50 users; p95 response time")
        .contains("95 % interval");
    chart.sendKeys(Keys.ENTER);
    assertThat(browser.find("#drill-title").getText()).startsWith("again at 50 users");
  }

  @Test
  void looksRightInEveryLightOnNarrowScreensAndOnPaper() throws IOException {
    show("light", 1280, "light", "screen");
    show("dark", 1280, "dark", "screen");
    show("narrow", 390, "light", "screen");
    show("print", 794, "dark", "print");
  }

  private void show(String name, int width, String scheme, String medium) throws IOException {
    browser.look(width, scheme, medium);
    byte[] png = browser.picture();
    Path directory = Files.createDirectories(Path.of("target", "screenshots"));
    Files.write(directory.resolve("report-" + name + ".png"), png);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    assertThat(image.getWidth()).as(name).isEqualTo(width);
    assertThat(image.getHeight()).as(name).isGreaterThan(3000);
    Map<Integer, Integer> colours = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y += 7) {
      for (int x = 0; x < width; x += 7) {
        colours.merge(image.getRGB(x, y), 1, Integer::sum);
      }
    }
    assertThat(colours).as(name).hasSizeGreaterThan(50);
    int ground =
        colours.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey() & 0xff;
    assertThat(ground < 0x80).as(name).isEqualTo(name.equals("dark"));
  }
}
