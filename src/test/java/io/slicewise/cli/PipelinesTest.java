package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Protects the examples for continuous integration: they can be read, and their command runs, as
 * far as that needs no machine of the service.
 */
class PipelinesTest {
  private static final Path DOCUMENT =
      Path.of(System.getProperty("slicewise.home", "."), "docs/nightly.md");

  private static final Pattern EXAMPLE =
      Pattern.compile("(?s)## (GitHub|GitLab|Jenkins)\n\n```(\\w+)\n(.*?)```");

  private static final Pattern COMMAND = Pattern.compile("slicewise nightly [^\n']*");

  @TempDir private Path directory;

  static Map<String, String> examples() throws IOException {
    Map<String, String> examples = new LinkedHashMap<>();
    EXAMPLE
        .matcher(Files.readString(DOCUMENT))
        .results()
        .forEach(found -> examples.put(found.group(1), found.group(3)));
    return examples;
  }

  static List<String> services() throws IOException {
    return List.copyOf(examples().keySet());
  }

  @Test
  void threeServicesHaveOne() throws IOException {
    assertThat(services()).containsExactly("GitHub", "GitLab", "Jenkins");
    for (String service : List.of("GitHub", "GitLab")) {
      assertThat(new Yaml().<Map<?, ?>>load(examples().get(service))).as(service).isNotEmpty();
    }
    String groovy = examples().get("Jenkins");
    assertThat(groovy.chars().filter(letter -> letter == '{').count())
        .isEqualTo(groovy.chars().filter(letter -> letter == '}').count());
  }

  /** The experiment names a host that does not exist, so the night ends where it would reach it. */
  @ParameterizedTest
  @MethodSource("services")
  void theCommandReachesTheExperiment(String service) throws IOException {
    Path file = directory.resolve("shop.yaml");
    Files.writeString(
        file,
        """
        name: shop
        host: {address: 127.0.0.1, port: 1}
        domains: {main: [web]}
        profiles: [{name: heavy, scheduler: credit, main: {weight: 512}}]
        workload: observe
        """);
    var found = COMMAND.matcher(examples().get(service));
    assertThat(found.find()).isTrue();
    String[] words =
        Arrays.stream(found.group().split(" +"))
            .skip(1)
            .map(word -> word.equals("experiments/shop.yaml") ? file.toString() : word)
            .map(
                word ->
                    word.matches("~/slicewise|baselines|night")
                        ? directory.resolve(word.replace("~/", "")).toString()
                        : word)
            .toArray(String[]::new);
    Said said = CommandLines.run(words);
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCode.HOST_LOST.code());
    assertThat(directory.resolve("night/shop.xml")).exists();
    assertThat(directory.resolve("night/shop.md")).exists();
  }
}
