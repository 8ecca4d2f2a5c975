package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Protects the recipes: each experiment runs on the lab as it stands, and each command exists. */
class RecipesTest {
  private static final Path DOCUMENT =
      Path.of(System.getProperty("slicewise.home", "."), "docs/recipes.md");

  private static final Pattern EXPERIMENT =
      Pattern.compile("(?s)```yaml\n# (\\S+\\.yaml)\n(.*?)```\n\n```sh\n(.*?)```");

  @TempDir private Path directory;

  record Recipe(String file, String experiment, List<String> commands) {
    @Override
    public String toString() {
      return file;
    }
  }

  static List<Recipe> recipes() throws IOException {
    return EXPERIMENT
        .matcher(Files.readString(DOCUMENT))
        .results()
        .map(RecipesTest::recipe)
        .toList();
  }

  private static Recipe recipe(MatchResult found) {
    return new Recipe(found.group(1), found.group(2), found.group(3).lines().toList());
  }

  @Test
  void everyProblemHasOne() throws IOException {
    long problems =
        Files.readAllLines(DOCUMENT).stream().filter(line -> line.startsWith("## ")).count();
    assertThat(recipes()).hasSize((int) problems);
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void canBePlannedAndItsCommandsExist(Recipe recipe) throws IOException {
    Path file = Files.writeString(directory.resolve(recipe.file()), recipe.experiment());
    Said plan = CommandLines.run("plan", "--offline", file.toString());
    assertThat(plan.exit()).as(plan.out() + plan.err()).isZero();
    for (String command : recipe.commands()) {
      assertThat(command).startsWith("slicewise ");
      assertThatCode(() -> Slicewise.commandLine().parseArgs(words(command, Map.of())))
          .as(command)
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @MethodSource("recipes")
  @Tag("nightly")
  void runsOnTheLabAndAnswers(Recipe recipe) throws IOException {
    Path file = Files.writeString(directory.resolve(recipe.file()), recipe.experiment());
    Path results = directory.resolve("results");
    Map<String, String> places = new LinkedHashMap<>();
    places.put(recipe.file(), file.toString());
    places.put("night", directory.resolve("night").toString());
    for (String command : recipe.commands()) {
      String begun = words(command, places)[0];
      places.put("results/" + recipe.file().replace(".yaml", "-*"), newest(results));
      String[] words = words(command, places);
      String[] asked =
          switch (begun) {
            case "run", "tune" -> with(words, "--anyway", "--results", results.toString());
            case "nightly" ->
                with(
                    words,
                    "--results",
                    results.toString(),
                    "--baselines",
                    directory.resolve("baselines").toString());
            case "report", "recommend" -> words.length == 1 ? with(words, newest(results)) : words;
            default -> words;
          };
      Said said = CommandLines.run(asked);
      System.out.printf("%s: %d%n", command, said.exit());
      assertThat(said.exit())
          .as(command + "\n" + said.out() + said.err())
          .isNotIn(ExitCode.INTERNAL.code(), ExitCode.USAGE.code(), ExitCode.PREFLIGHT.code());
    }
    assertThat(newest(results)).isNotEmpty();
  }

  private static String[] words(String command, Map<String, String> places) {
    return List.of(command.split(" ")).stream()
        .skip(1)
        .map(word -> places.getOrDefault(word, word))
        .toArray(String[]::new);
  }

  private static String[] with(String[] words, String... more) {
    return java.util.stream.Stream.concat(List.of(words).stream(), List.of(more).stream())
        .toArray(String[]::new);
  }

  private static String newest(Path results) throws IOException {
    return io.slicewise.run.RunDirectory.newest(results)
        .map(run -> run.root().toString())
        .orElse("");
  }
}
