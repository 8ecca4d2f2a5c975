package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.Trial;
import io.slicewise.load.LoadProgress;
import io.slicewise.monitor.DomainShares;
import io.slicewise.monitor.MonitorResult;
import io.slicewise.stats.Estimate;
import io.slicewise.sweep.Precision;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.sweep.SweepListener.Step;
import io.slicewise.sweep.TrialResult;
import io.slicewise.units.Window;
import io.slicewise.validity.Finding;
import io.slicewise.validity.Rule;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the progress lines: this run's trials are counted, and every line fits the screen. */
class ProgressScreenTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:00:00Z");
  private static final Trial FIRST = new Trial(7, 1, "heavy", 0, 1);
  private static final Trial SECOND = new Trial(9, 2, "heavy", 0, 2);

  @TempDir private Path directory;
  private final StringWriter err = new StringWriter();

  @Test
  void countsOnlyTheTrialsThatThisRunWillDo() throws IOException {
    ProgressScreen screen = screen(false, "host: {address: dom0.example}");
    screen.runStarted(run(), 24, 2, 10, List.of("12 trials need sched=sedf"));
    screen.trialStarted(FIRST);
    screen.trialFailed(FIRST, "xl said no");
    screen.trialStarted(SECOND);
    screen.trialFinished(result(SECOND));
    assertThat(err.toString().lines())
        .anyMatch(line -> line.endsWith("10 of 24 trials to run, 2 done before"))
        .contains("not now: 12 trials need sched=sedf", "1/10 heavy r1 | FAILED")
        .anyMatch(line -> line.startsWith("2/10 heavy r2 | observed | left 0:"));
  }

  @Test
  void countsWhatALabWillBeRebootedFor() throws IOException {
    ProgressScreen screen = screen(false, "lab: {}");
    screen.runStarted(run(), 24, 0, 12, List.of("12 trials need sched=sedf"));
    screen.trialStarted(FIRST);
    screen.trialFinished(result(FIRST));
    screen.runStarted(run(), 24, 1, 23, List.of());
    screen.trialStarted(SECOND);
    screen.trialFinished(result(SECOND));
    assertThat(err.toString()).contains("1/24 heavy r1", "2/24 heavy r2", "after a reboot: 12");
  }

  @Test
  void breaksWhatIsTooLongAndUsesNoEscapes() throws IOException {
    ProgressScreen screen = screen(false, "lab: {}");
    screen.trialFinished(result(FIRST, "the clock went back ".repeat(20), "errors 3.1 % > 0.5 %"));
    assertThat(err.toString().lines())
        .allMatch(line -> line.length() <= 100)
        .contains("    INVALID: errors 3.1 % > 0.5 %");
    assertThat(err.toString()).doesNotContain("\033").doesNotContain("run 20 %");
  }

  @Test
  void liveLineSaysThatSharesAreTheLastTrials() throws IOException {
    ProgressScreen screen = screen(true, "lab: {}");
    screen.trialFinished(result(FIRST));
    screen.progress(
        SECOND, Step.MEASURE, Duration.ofSeconds(3), new LoadProgress(0, 0, 0, 0, Double.NaN));
    assertThat(err.toString()).endsWith("last: web run 20 %");
  }

  @Test
  void liveLineCountsTheCellsThatArePreciseAlready() throws IOException {
    ProgressScreen screen = screen(true, "lab: {}");
    Stop stop = new Stop(0.03, Stop.Rule.TWO_STAGE, 12, Duration.ofHours(8));
    Estimate known = new Estimate(100, 0.01, 6, 98, 102, 0.95);
    screen.precision(
        new Precision(
            stop,
            "p95",
            List.of(
                new Precision.Cell("heavy", 25, known, OptionalInt.of(5), true),
                new Precision.Cell("heavy", 50, known, OptionalInt.of(9), false))));
    screen.progress(
        SECOND, Step.MEASURE, Duration.ofSeconds(3), new LoadProgress(0, 0, 0, 0, Double.NaN));
    assertThat(err.toString()).endsWith("| precise already: 1 of 2");
  }

  private ProgressScreen screen(boolean live, String host) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("shop.yaml"),
            """
            name: shop
            domains: {main: [web]}
            profiles: [{name: heavy, scheduler: credit, main: {weight: 512}}]
            workload: observe
            """
                + host);
    Experiment experiment = ExperimentFiles.read(file);
    return new ProgressScreen(
        new PrintWriter(err, true), live, 100, Clock.fixed(NOW, ZoneOffset.UTC), experiment);
  }

  private RunDirectory run() {
    return RunDirectory.create(directory, "shop", NOW);
  }

  private static TrialResult result(Trial trial, String... reasons) {
    Window window = new Window(NOW, NOW.plusSeconds(60));
    DomainShares web = new DomainShares("web", 1, 1, 0.2, 0.1, 0.7, "");
    return new TrialResult(
        trial,
        Stream.of(reasons).map(words -> new Finding(Rule.ERRORS, true, words, "")).toList(),
        List.of(),
        window,
        window,
        4,
        Map.of(),
        Map.of(),
        Optional.empty(),
        new MonitorResult("xenmon", window, List.of(web), List.of(), List.of()),
        Optional.empty(),
        Map.of());
  }
}
