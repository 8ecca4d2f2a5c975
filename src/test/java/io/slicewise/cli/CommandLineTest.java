package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Protects how every command answers: help that fits a screen, faults as sentences with their exit
 * codes, and no colour where nobody sees it.
 */
class CommandLineTest {
  private static final String ESCAPE = "\033";
  @TempDir private Path directory;

  @TestFactory
  List<DynamicTest> everyCommandHasHelpThatFitsAHundredColumns() {
    List<DynamicTest> tests = new ArrayList<>();
    collect(Slicewise.commandLine(), List.of(), tests);
    return tests;
  }

  private static void collect(CommandLine command, List<String> path, List<DynamicTest> tests) {
    List<String> words = new ArrayList<>(path);
    words.add("--help");
    tests.add(DynamicTest.dynamicTest(String.join(" ", words), () -> assertHelp(words)));
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              List<String> longer = new ArrayList<>(path);
              longer.add(name);
              collect(sub, longer, tests);
            });
  }

  private static void assertHelp(List<String> words) {
    Said said = CommandLines.run(words.toArray(String[]::new));
    assertThat(said.exit()).isZero();
    assertThat(said.out()).contains("Usage: slicewise").doesNotContain(ESCAPE);
    assertThat(said.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void namesAnUnknownOptionAndTheNearestInOneSentence() {
    Said said = CommandLines.run("status", "--formt", "json");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err().lines())
        .containsExactly(
            "slicewise: unknown option '--formt'; did you mean '--format'?",
            "  see 'slicewise status --help'");
    assertThat(CommandLines.run("status", "-o", "x").err().lines().findFirst())
        .hasValue("slicewise: unknown option '-o'");
    assertThat(CommandLines.run("status", "--colour").err())
        .contains("'--colour'")
        .doesNotContain(ESCAPE, "Usage:");
  }

  @Test
  void namesTheValuesOfAnOptionInLowerCase() {
    Said said = CommandLines.run("status", "--format", "yaml");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err().lines()).hasSize(2);
    assertThat(said.err()).contains("text, json", "yaml").doesNotContain("TEXT", "JSON");
  }

  @Test
  void anUnknownCommandFailsAlsoWhenHelpFollowsIt() {
    for (String[] words : List.of(new String[] {"pln"}, new String[] {"pln", "--help"})) {
      Said said = CommandLines.run(words);
      assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
      assertThat(said.out()).isEmpty();
      assertThat(said.err()).contains("unknown command 'pln'; did you mean 'plan'?");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rnu, run",
    "help rnu, run",
    "help study overhed, overhead",
    "study overhed, overhead",
    "generator chekc, check",
    "target web-ap, web-app"
  })
  void suggestsTheNearestCommandInOneSentence(String typed, String nearest) {
    Said said = CommandLines.run(typed.split(" "));
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err().lines().findFirst())
        .hasValue(
            "slicewise: unknown command '%s'; did you mean '%s'?"
                .formatted(typed.replaceFirst(".* ", ""), nearest));
  }

  @Test
  void helpPrintsWhatTheOptionHelpOfTheSameCommandPrints() {
    for (String command : List.of("run", "study overhead", "generator check")) {
      Said said = CommandLines.run(("help " + command).split(" "));
      assertThat(said.exit()).isZero();
      assertThat(said.out()).isEqualTo(CommandLines.run((command + " --help").split(" ")).out());
    }
    assertThat(CommandLines.run("help").out()).isEqualTo(CommandLines.run("--help").out());
  }

  @Test
  void everyCommandPrintsThroughTheWriterThatKnowsTheTerminal() {
    CommandLine root = Slicewise.commandLine();
    assertThat(root.getSubcommands()).hasSizeGreaterThan(20);
    root.getSubcommands()
        .forEach(
            (name, command) -> {
              assertThat(command.getOut()).as(name).isSameAs(root.getOut());
              assertThat(command.getErr()).as(name).isSameAs(root.getErr());
            });
    CommandLine study = root.getSubcommands().get("study");
    assertThat(study.getSubcommands().get("overhead").getOut()).isSameAs(root.getOut());
  }

  @Test
  void helpOfTheRootReadsNoOptionsOfCommandsAndIsTheSame() {
    CommandLine overview = Slicewise.overview();
    assertThat(overview.getUsageMessage()).isEqualTo(Slicewise.commandLine().getUsageMessage());
    assertThat(overview.getSubcommands().values())
        .allSatisfy(command -> assertThat(command.getCommandSpec().options()).isEmpty());
  }

  @Test
  void groupsItsCommands() {
    assertThat(CommandLines.run("--help").out())
        .containsSubsequence(
            "Try:",
            "demo",
            "Plan:",
            "init",
            "Run:",
            "tune",
            "Read:",
            "report",
            "Look after the host:",
            "restore",
            "Tools:",
            "reduce",
            "Exit codes:");
  }

  @Test
  void tellsFileAndLineOfAFault() throws IOException {
    Path file = Files.writeString(directory.resolve("shop.yaml"), "name: shop\nuser: [5]\n");
    Said said = CommandLines.run("run", file.toString());
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("shop.yaml:2").contains("user").doesNotContain(ESCAPE);
  }

  @Test
  void saysThatThereIsNoRun() {
    for (String command : List.of("status", "report", "resume", "restore")) {
      Said said = CommandLines.run(command, "--results", directory.toString());
      assertThat(said.exit()).as(command).isEqualTo(ExitCode.USAGE.code());
      assertThat(said.err()).as(command).contains("there is no run in " + directory);
    }
  }

  @Test
  void printsACompletionScript() {
    Said said = CommandLines.run("generate-completion");
    assertThat(said.exit()).isZero();
    assertThat(said.out())
        .contains("complete -F", "slicewise", "(\"text\" \"json\"")
        .doesNotContainPattern("_option_args=\\(\"[A-Z]");
  }

  @Test
  void tellsOfAKilledRunWhatItLeftAndWhatToDo() throws IOException {
    Path run = killedRun("shop-1", "21", 22);
    Said said = CommandLines.run("status", run.toString());
    assertThat(said.exit()).isZero();
    assertThat(said.out())
        .contains("killed: the process died unexpectedly")
        .contains("lock      may still be on the host; slicewise restore " + run + " removes it")
        .contains("0 of 1 finished")
        .contains("settings of this run on web")
        .contains("slicewise resume " + run);
    JsonNode json =
        Json.mapper()
            .readTree(CommandLines.run("status", run.toString(), "--format", "json").out());
    assertThat(json.at("/changedDomains/0").asText()).isEqualTo("web");
  }

  @Test
  void tellsHowManyTrialsFinishedWithoutCounting() throws IOException {
    RecordedRun recorded =
        RecordedRun.begin(directory.resolve("counted"), RecordedRun.EXPERIMENT)
            .trial(1, "w256", 50, 1, 400, 200, List.of("errors 3 % > 0.5 %"))
            .trial(2, "w512", 50, 1, 400, 200, List.of("errors 3 % > 0.5 %"))
            .trial(new Trial(2, 1, "w512", Load.of(50), 1, 2), 400, 200, List.of())
            .trial(3, "w256", 300, 1, 400, 200);
    String run = recorded.end().root().toString();
    assertThat(CommandLines.run("status", run).out())
        .containsPattern("trials +3 of \\d+ finished \\(1 excluded\\), 0 failed");
    JsonNode json =
        Json.mapper().readTree(CommandLines.run("status", run, "--format", "json").out());
    assertThat(json.at("/valid").asInt()).isEqualTo(2);
  }

  @Test
  void hostThatCannotBeReachedIsNotRestored() throws IOException {
    Path run = killedRun("shop-1", "21", closedPort());
    Said said = CommandLines.run("restore", run.toString());
    assertThat(said.exit()).isEqualTo(ExitCode.HOST_NOT_RESTORED.code());
    assertThat(said.err()).contains("127.0.0.1");
  }

  @Test
  void restoresTheNewestRunFirstAndGoesOnAfterABrokenOne() throws IOException {
    int port = closedPort();
    Path early = killedRun("z-begun-first", "19", port);
    Path late = killedRun("a-begun-last", "23", port);
    Path broken = killedRun("m-broken", "21", port);
    Files.writeString(broken.resolve("journal.jsonl"), "not a journal\n");

    Said said =
        CommandLines.run("restore", "--host", "127.0.0.1", "--results", directory.toString());

    assertThat(said.exit()).isEqualTo(ExitCode.HOST_NOT_RESTORED.code());
    assertThat(said.out().lines()).containsExactly(late + ":", early + ":");
    assertThat(said.err()).contains("m-broken");
  }

  @Test
  void anAddressThatOnlyContainsAnotherFindsNoRunOfIt() throws IOException {
    killedRun("shop-1", "21", closedPort());
    for (String address : List.of("127.0.0.11", "27.0.0.1")) {
      Said said = CommandLines.run("restore", "--host", address, "--results", directory.toString());
      assertThat(said.exit()).isZero();
      assertThat(said.out()).contains("left " + address + " changed");
    }
  }

  private Path killedRun(String name, String hour, int port) throws IOException {
    Path run = Files.createDirectories(directory.resolve(name));
    Files.createDirectory(run.resolve("trials"));
    Path key = Files.writeString(directory.resolve("key"), "");
    Files.writeString(
        run.resolve("experiment.yaml"),
        """
        name: shop
        host: {address: 127.0.0.1, port: %d, identity: %s, known-hosts: %s}
        domains: {main: [web]}
        profiles: [{name: heavy, scheduler: credit, main: {weight: 512}}]
        workload: observe
        repetitions: 1
        """
            .formatted(port, key, key));
    Instant at = Instant.parse("2026-11-20T%s:00:00Z".formatted(hour));
    try (Journal journal = Journal.open(run.resolve("journal.jsonl"))) {
      journal.append(new JournalEvent.RunStarted(at, "desk", 1, "1", "root@127.0.0.1:" + port));
      journal.append(new JournalEvent.Applying(at, "web", Credit.of(256, 0), Credit.of(512, 0)));
    }
    return run;
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void aMissingFileIsAnsweredWithAnExample() {
    assertThat(CommandLines.run("run").err())
        .contains("missing required parameter: 'FILE'")
        .contains("slicewise init web-app -o web-app.yaml, then slicewise run web-app.yaml");
  }

  @Test
  void aTabIsNamed(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("tab.yaml"), "name: x\nlab:\n\tpcpus: 2\n");
    assertThat(CommandLines.run("plan", file.toString()).err())
        .contains("tab.yaml:3: is indented with a tab, which YAML does not allow: use spaces");
  }
}
