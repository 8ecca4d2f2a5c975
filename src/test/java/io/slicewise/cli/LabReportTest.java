package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.report.page.Browser;
import io.slicewise.report.page.SummaryInPage;
import io.slicewise.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what a newcomer sees first: the page of a sweep that really ran on the embedded lab,
 * opened in a real browser, draws without a word of complaint and says what its summary says.
 */
@MeasuresInRealTime
class LabReportTest {
  private static final String SWEEP =
      """
      name: first-look
      lab: {scheduler: credit}
      domains: {main: [Apache_Server]}
      profiles:
        - {name: w256, scheduler: credit, main: {weight: 256}}
        - {name: cap-30, scheduler: credit, main: {weight: 256, cap: 30}}
      baseline: w256
      workload: web-app
      users: [4]
      repetitions: 2
      ramp: 0s
      warm-up: 1s
      measure: 1s
      cool-down: 0s
      limits: {errors: 50%, generator-cpu: 100%, other-work: 100%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%,
        generator-gc: 100%, repeat-invalid: 0}
      """;

  @TempDir private Path directory;

  @Test
  void pageOfALabSweepOpensAndAgreesWithItsSummary() throws Exception {
    try (Browser browser = Browser.start()) {
      Path results = directory.resolve("results");
      Path file = Files.writeString(directory.resolve("sweep.yaml"), SWEEP);
      CommandLines.run("run", file.toString(), "--results", results.toString());
      Path run = RunDirectory.newest(results).orElseThrow().root();
      browser.open(run.resolve("report.html"));
      assertThat(browser.console()).isEmpty();
      assertThat(browser.requests()).hasSize(1);
      assertThat(browser.find("header .origin").getText()).isEqualTo("lab");
      assertThat(browser.find("#chart-throughput .origin").getText()).isEqualTo("lab");
      SummaryInPage summary = new SummaryInPage(browser, run);
      summary.load("throughput", "throughput", 1);
      summary.shares();
    }
  }
}
