package io.slicewise.cli.screens;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.TestClock;
import io.slicewise.base.units.Window;
import io.slicewise.cli.TerminalPicture;
import io.slicewise.cli.screens.LiveRows.LiveRow;
import io.slicewise.cli.screens.ProgressScreen.ExperimentPart;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.LoadProgress.Worst;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.stats.Estimate;
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
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects the progress lines: this run's trials are counted, and every line fits the screen. */
class ProgressScreenTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:00:00Z");
  private static final Trial FIRST = new Trial(7, 1, "heavy", Load.of(0), 1);
  private static final Trial SECOND = new Trial(9, 2, "heavy", Load.of(300), 2);

  private static final LoadProgress LOAD =
      new LoadProgress(299, 1000, 10, 0, 371, 259, new Worst(0.43), new Worst(31));

  @TempDir private Path directory;
  private final StringWriter err = new StringWriter();

  @Test
  void countsOnlyTheTrialsThatThisRunWillDo() throws IOException {
    ProgressScreen screen = plain("host: {address: dom0.example}");
    screen.runStarted(run(), 24, 2, 10, List.of("12 trials need sched=sedf"));
    screen.trialStarted(FIRST);
    screen.trialFailed(FIRST, "xl said no");
    screen.trialStarted(SECOND);
    screen.trialFinished(result(SECOND));
    assertThat(err.toString().replaceAll("\\s+", " "))
        .contains("10 of 24 trials to run, 2 already done");
    assertThat(err.toString().lines())
        .contains("not now: 12 trials need sched=sedf", "1/10 heavy r1 | FAILED")
        .anyMatch(line -> line.startsWith("2/10 heavy u300 r2 | observed | left 0:"));
  }

  @Test
  void trialsThatAreAddedAtTheEndAreReportedAsTheFirstOnes() throws IOException {
    Instant[] now = {NOW};
    Clock clock =
        new TestClock() {
          @Override
          public Instant instant() {
            return now[0];
          }
        };
    ProgressScreen screen =
        new ProgressScreen(
            new PrintWriter(err, true),
            Optional.empty(),
            false,
            clock,
            experiment("lab: {}"),
            ExperimentPart.ONLY);
    screen.runStarted(run(), 2, 0, 2, List.of());
    for (int trial = 1; trial <= 4; trial++) {
      if (trial == 3) {
        screen.trialsAdded(2);
      }
      screen.trialStarted(SECOND);
      now[0] = now[0].plusSeconds(60);
      screen.trialFinished(result(SECOND));
    }
    assertThat(err.toString().lines().map(line -> line.substring(0, 3)))
        .containsSubsequence("1/2", "2/2", "3/4", "4/4");
  }

  @Test
  void countsWhatALabWillBeRebootedFor() throws IOException {
    ProgressScreen screen = plain("lab: {}");
    screen.runStarted(run(), 24, 0, 12, List.of("12 trials need sched=sedf"));
    screen.trialStarted(FIRST);
    screen.trialFinished(result(FIRST));
    screen.runStarted(run(), 24, 1, 23, List.of());
    screen.trialStarted(SECOND);
    screen.trialFinished(result(SECOND));
    assertThat(err.toString())
        .contains("1/24 heavy r1", "2/24 heavy u300 r2", "after a reboot: 12");
  }

  @Test
  void breaksWhatIsTooLongAndUsesNoEscapes() throws IOException {
    ProgressScreen screen = plain("lab: {}");
    screen.trialFinished(result(FIRST, "the clock went back ".repeat(20), "errors 3.1 % > 0.5 %"));
    assertThat(err.toString().lines())
        .allMatch(line -> line.length() <= 100)
        .contains("    INVALID: errors 3.1 % > 0.5 %");
    assertThat(err.toString()).doesNotContain("\033").doesNotContain("run 20 %");
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 100})
  void redrawsInPlaceBelowTheLinesOfEvents(int width) throws IOException {
    TerminalPicture terminal = new TerminalPicture(width);
    ProgressScreen screen = screen(terminal);
    screen.runStarted(run(), 24, 0, 24, List.of());
    screen.trialStarted(FIRST);
    screen.trialFinished(result(FIRST, "errors 3.1 % > 0.5 %"));
    screen.queuedAgain(FIRST, 1, 2);
    screen.trialStarted(SECOND);
    screen.step(SECOND, Step.SET_UP, Duration.ZERO);
    screen.step(SECOND, Step.MEASURE, Duration.ofMinutes(3));
    for (int second = 1; second <= 5; second++) {
      screen.progress(SECOND, Step.MEASURE, Duration.ofSeconds(second), LOAD);
      screen.tick();
    }
    List<String> seen = terminal.lines();
    assertThat(seen.subList(seen.size() - 8, seen.size())).allMatch(row -> row.length() < width);
    assertThat(seen.stream().filter(line -> line.startsWith("now     "))).hasSize(1);
    assertThat(seen.subList(seen.size() - 8, seen.size()))
        .extracting(line -> line.split(" ", 2)[0])
        .containsExactly("shop", "left", "now", "guests", "valid", "safe", "last", "Ctrl-C");
    assertThat(seen)
        .anyMatch(line -> line.matches("shop  block 2 of 5  trial 2/25  #+-+  4 %  0:00"))
        .contains("now     heavy | u300 | measure 0:00/3:00 | 371/s | p95 259 ms | err 1.0 %")
        .contains("guests  last trial | web run 20 % wait 10 % blocked 70 %")
        .contains("valid   generator CPU 43 % ok | late p99 31.0 ms HIGH | 299 threads")
        .contains("safe    journal 0 events on disk | host as found")
        .contains("last    1 heavy r1: INVALID errors 3.1 % > 0.5 % | queued again, 1 of 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          80; gen1; CPU 91 % HIGH gen2 | late p99 31.0 ms HIGH gen1 | 299 threads
          60; gen1; CPU 91 % HIGH gen2 | late p99 31.0 ms HIGH gen1
          60; load@gen1.example:2222; CPU 91 % HI... | late p99 31.0 ms HIGH load@gen1...
          """)
  void namesTheWorstOfSeveralGenerators(int width, String latest, String row) throws IOException {
    TerminalPicture terminal = new TerminalPicture(width);
    ProgressScreen screen = screen(terminal);
    screen.runStarted(run(), 24, 0, 24, List.of());
    screen.trialStarted(SECOND);
    screen.step(SECOND, Step.MEASURE, Duration.ofMinutes(3));
    LoadProgress worst =
        new LoadProgress(
            299, 1000, 10, 0, 371, 259, new Worst(0.91, "gen2"), new Worst(31, latest));
    screen.progress(SECOND, Step.MEASURE, Duration.ofSeconds(1), worst);
    screen.tick();
    assertThat(terminal.lines()).contains("valid   " + row);
  }

  @Test
  void nothingOfThePaneIsLeftWhenItShrinksOrTheRunEnds() throws IOException {
    TerminalPicture terminal = new TerminalPicture(80);
    PrintWriter out = new PrintWriter(terminal);
    LivePane pane = new LivePane(out, 80);
    out.print("before\r\n");
    pane.draw(List.of("one", "two, which is long", "three", "four"));
    pane.draw(List.of("un", "deux"));
    assertThat(terminal.lines()).containsExactly("before", "un", "deux");
    pane.clear();
    out.print("event\r\n");
    pane.draw(List.of("x".repeat(200)));
    assertThat(terminal.lines()).containsExactly("before", "event", "x".repeat(79));
    pane.draw(List.of());
    assertThat(terminal.lines()).containsExactly("before", "event");

    ProgressScreen screen = screen(terminal);
    screen.runStarted(run(), 1, 0, 1, List.of());
    screen.trialStarted(FIRST);
    screen.runEnded(new RunOutcome(RunState.DONE, Set.of(), true, Map.of(), "all is well"));
    screen.tick();
    assertThat(terminal.lines())
        .endsWith("shop: 0 trials in 0:00 | all is well")
        .noneMatch(line -> line.startsWith("left"));
    screen.runStarted(run(), 1, 0, 1, List.of());
    assertThat(terminal.lines()).anyMatch(line -> line.startsWith("left"));
    screen.close();
    assertThat(terminal.lines()).noneMatch(line -> line.startsWith("left"));
  }

  @Test
  void noBlockHasANumberAboveTheirCount() {
    assertThat(LiveRows.ofAll(3, 3)).isEqualTo("3/3");
    assertThat(LiveRows.ofAll(5, 3)).isEqualTo("5");
  }

  @Test
  void shortensNamesBeforeItLeavesNumbersOut() {
    LiveRow row = LiveRow.of("now", "a-profile-of-forty-letters-".repeat(3), "300 users", "371/s");
    assertThat(row.fit(60)).hasSize(59).endsWith("... | 300 users | 371/s");
    assertThat(row.fit(33)).isEqualTo("now     a-profile... | 300 users");
  }

  @Test
  void countsTheCellsThatArePreciseAlready() throws IOException {
    TerminalPicture terminal = new TerminalPicture(100);
    ProgressScreen screen = screen(terminal);
    screen.runStarted(run(), 24, 0, 24, List.of());
    Stop stop = new Stop(0.03, Stop.Rule.TWO_STAGE, 12, Duration.ofHours(8));
    Estimate known = new Estimate(100, 0.01, 6, 98, 102, 0.95);
    screen.precision(
        new Precision(
            stop,
            "p95",
            List.of(
                new Precision.Cell("heavy", Load.of(25), known, OptionalInt.of(5), true),
                new Precision.Cell("heavy", Load.of(50), known, OptionalInt.of(9), false))));
    assertThat(terminal.lines())
        .anyMatch(line -> line.startsWith("left") && line.endsWith("| precise already: 1 of 2"));
  }

  private ProgressScreen screen(TerminalPicture terminal) throws IOException {
    PrintWriter out = new PrintWriter(terminal, true);
    LivePane pane = new LivePane(out, terminal.width());
    return screen(Optional.of(pane), "host: {address: dom0.example}", out);
  }

  private ProgressScreen plain(String host) throws IOException {
    return screen(Optional.empty(), host, new PrintWriter(err, true));
  }

  private ProgressScreen screen(Optional<LivePane> pane, String host, PrintWriter out)
      throws IOException {
    return new ProgressScreen(
        out, pane, true, Clock.fixed(NOW, ZoneOffset.UTC), experiment(host), ExperimentPart.ONLY);
  }

  private Experiment experiment(String host) throws IOException {
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
    return ExperimentFiles.read(file);
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
        new TrialTimes(window, window, Map.of()),
        TrialHost.of(4, Map.of()),
        TrialLoad.NONE,
        List.of(
            HypervisorShares.observation(
                new MonitorResult("xenmon", window, List.of(web), List.of(), List.of()))));
  }
}
