package io.slicewise.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.Installation;
import io.slicewise.cli.Slicewise;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.Design;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * Protects what a timer relies on: the exit code, the files and the commands of a night, which runs
 * are removed, and that two nights never run at once. {@code run} and {@code resume} are replaced
 * by recorded runs; all else is the real program.
 */
class NightlyCommandTest {
  private static final Instant FIRST = Instant.parse("2026-11-20T01:00:00Z");

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> calls = new ArrayList<>();
  private Path file;
  private Path results;
  private int nights;
  private double p95 = 200;
  private int code;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("shop.yaml"), RecordedRun.EXPERIMENT);
    results = directory.resolve("results");
  }

  /** A command that records its call and then does something. */
  @Command
  private static final class Instead implements Callable<Integer> {
    @Unmatched private List<String> words = new ArrayList<>();
    private final Callable<Integer> does;
    private final String name;
    private final List<String> calls;

    private Instead(String name, List<String> calls, Callable<Integer> does) {
      this.name = name;
      this.calls = calls;
      this.does = does;
    }

    @Override
    public Integer call() throws Exception {
      calls.add(name + " " + String.join(" ", words));
      return does.call();
    }
  }

  @Command(name = "slicewise")
  private static final class Root {}

  private int nightly(String... options) {
    CommandLine all = Slicewise.commandLine();
    CommandLine root = new CommandLine(new Root());
    root.addSubcommand("run", new Instead("run", calls, this::record));
    root.addSubcommand("resume", new Instead("resume", calls, () -> code));
    root.addSubcommand("history", all.getSubcommands().get("history"));
    root.addSubcommand("nightly", new NightlyCommand());
    root.setExecutionExceptionHandler(all.getExecutionExceptionHandler());
    root.setCaseInsensitiveEnumValuesAllowed(true);
    root.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> words = new ArrayList<>(List.of("nightly", file.toString()));
    words.addAll(List.of("--results", results.toString()));
    words.addAll(List.of("--baselines", directory.resolve("baselines").toString()));
    words.addAll(Arrays.asList(options));
    return root.execute(words.toArray(String[]::new));
  }

  /** Records a night of its own day, in which w512 has the p95 of this test. */
  private int record() {
    Instant begun = FIRST.plus(Duration.ofDays(nights++));
    RecordedRun run =
        RecordedRun.begin(
            results.resolve("shop-" + begun.toString().replace(':', '-')),
            RecordedRun.EXPERIMENT,
            begun);
    int number = 1;
    for (int block = 1; block <= 6; block++) {
      for (int users : List.of(50, 300)) {
        run.trial(number++, "w256", users, block, 400, 200 + block % 2);
        run.trial(number++, "w512", users, block, 400, p95 + block % 2);
      }
    }
    run.end();
    return code;
  }

  private Path night(int number) {
    String day = FIRST.plus(Duration.ofDays(number)).toString().replace(':', '-');
    return results.resolve("shop-" + day);
  }

  @Test
  void firstSoundNightIsTheBaselineOfTheOthers() throws IOException {
    Path output = directory.resolve("ci");
    assertThat(nightly("--output", output.toString())).as(err.toString()).isZero();
    assertThat(err.toString()).contains("baseline shop stored");
    assertThat(output.resolve("shop.xml")).content().contains("failures=\"0\"");

    p95 = 300;
    assertThat(nightly("--output", output.toString())).isEqualTo(ExitCode.WORSE.code());
    assertThat(output.resolve("shop.xml")).content().contains("w512, 50 users, p95", "<failure");
    assertThat(output.resolve("shop.md")).content().startsWith("# shop: worse").contains("w512");
    assertThat(night(1).resolve("nightly/junit.xml")).content().contains("<failure");
    assertThat(nightly("--profile", "w256")).as("what is not asked for").isZero();
  }

  @Test
  void runThatFailsIsTheExitCodeAndAFailedTest() {
    code = ExitCode.HOST_LOST.code();
    Path output = directory.resolve("ci");
    assertThat(nightly("--output", output.toString())).isEqualTo(ExitCode.HOST_LOST.code());
    assertThat(output.resolve("shop.xml")).content().contains("the host became unreachable");
    assertThat(directory.resolve("baselines")).doesNotExist();
  }

  @Test
  void commandsKnowTheResultAndChangeNothing() throws IOException {
    Path said = directory.resolve("said");
    String line = "$SLICEWISE_EXPERIMENT $SLICEWISE_VERDICT $SLICEWISE_EXIT_CODE $SLICEWISE_RUN";
    String end = "echo \"end %s\" >>'%s'; exit 9".formatted(line, said);
    String failure = "echo \"failure %s\" >>'%s'".formatted(line, said);
    nightly();
    assertThat(nightly("--on-end", end, "--on-failure", failure)).isZero();
    p95 = 300;
    assertThat(nightly("--on-end", end, "--on-failure", failure)).isEqualTo(ExitCode.WORSE.code());
    assertThat(Files.readAllLines(said).subList(1, 3))
        .containsExactly("end shop worse 10 " + night(2), "failure shop worse 10 " + night(2));
    assertThat(Files.readAllLines(said).get(0)).startsWith("end shop ").endsWith(" 0 " + night(1));
    assertThat(Files.readAllLines(said)).hasSize(3);
    assertThat(err.toString()).contains("the command of --on-end ended with 9");
  }

  @Test
  void leavesWhileAnotherIsUnderWay() throws IOException {
    Files.createDirectories(results);
    try (RunLock other = RunLock.take(results)) {
      assertThat(nightly("--on-end", "touch '" + directory.resolve("called") + "'"))
          .isEqualTo(ExitCode.LOCKED.code());
    }
    assertThat(err.toString()).contains("another nightly is under way in " + results);
    assertThat(calls).isEmpty();
    assertThat(directory.resolve("called")).doesNotExist();
    assertThat(nightly()).isZero();
  }

  /**
   * Returns a run of the experiment whose process died, perhaps with another fact of its design.
   */
  private RunDirectory killed(Optional<String> changed) {
    Experiment experiment = ExperimentFiles.read(file);
    RunDirectory run = RunDirectory.begin(results, experiment.name(), experiment, FIRST);
    Map<String, String> design = new HashMap<>(Design.of(experiment).facts());
    changed.ifPresent(fact -> design.replace(fact, "another"));
    try (Journal journal = Journal.open(run.journalFile())) {
      journal.append(new JournalEvent.RunStarted(FIRST, "desk", 1, "1", "root@dom0.example"));
      journal.append(new JournalEvent.Designed(FIRST, design));
    }
    return run;
  }

  @Test
  void resumesARunThatWasCutShort() {
    RunDirectory run = killed(Optional.empty());
    code = ExitCode.HOST_LOST.code();
    assertThat(nightly("--host-patience", "3")).isEqualTo(ExitCode.HOST_LOST.code());
    assertThat(calls).containsExactly("resume %s --plain --host-patience 3".formatted(run.root()));
  }

  @Test
  void beginsAnewAfterTheExperimentWasChanged() {
    killed(Optional.of(Design.of(ExperimentFiles.read(file)).facts().keySet().iterator().next()));
    assertThat(nightly()).as(err.toString()).isZero();
    assertThat(calls).singleElement().asString().startsWith("run " + file);
  }

  @Test
  void removesOldNightsButNeverABaselineOrARunStartedByHand() throws IOException {
    Path byHand =
        RecordedRun.begin(results.resolve("shop-by-hand"), RecordedRun.EXPERIMENT).end().root();
    for (int night = 0; night < 5; night++) {
      assertThat(nightly("--keep", "2")).as(err.toString()).isZero();
    }
    assertThat(night(0)).as("the baseline").isDirectory();
    assertThat(night(1)).doesNotExist();
    assertThat(night(2)).doesNotExist();
    assertThat(night(3)).isDirectory();
    assertThat(night(4)).isDirectory();
    assertThat(byHand).isDirectory();
    assertThat(nightly("--keep", "0")).isEqualTo(ExitCode.USAGE.code());
  }

  @Test
  void writesMetricsWholeAndReadable() throws IOException {
    Path metrics = directory.resolve("collector/slicewise.prom");
    nightly("--metrics", metrics.toString());
    p95 = 300;
    nightly("--metrics", metrics.toString());
    assertThat(metrics)
        .content()
        .contains("slicewise_nightly_exit_code{experiment=\"shop\"} 10.0")
        .contains("reference=\"baseline shop\"")
        .endsWith("# EOF\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(metrics)))
        .isEqualTo("rw-r--r--");
    assertThat(Installation.names(metrics.getParent())).containsExactly("slicewise.prom");
  }

  @Test
  void runsListsStateVerdictAndSize() {
    nightly();
    p95 = 300;
    nightly();
    CommandLines.Said said = CommandLines.run("runs", "--results", results.toString());
    assertThat(said.exit()).isZero();
    assertThat(said.out().lines().toList()).hasSize(3);
    assertThat(said.out())
        .containsPattern(
            "shop-2026-11-20\\S+ +done +24 of 48 +\\d+\\.\\d MB +none \\(exit code 0\\)")
        .containsPattern("shop-2026-11-21\\S+ +done +24 of 48 .* worse \\(exit code 10\\)");
  }
}
