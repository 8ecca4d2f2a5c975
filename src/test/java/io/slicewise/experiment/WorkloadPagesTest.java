package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.file.ExperimentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every example in docs/workloads that begins with the workload can be put into an experiment. */
class WorkloadPagesTest {
  private static final Pattern BLOCK =
      Pattern.compile("```yaml\n(workload:.*?)```", Pattern.DOTALL);
  private static final String REST =
      """
      name: page
      host: {address: dom0.example}
      profiles: [as-found]
      """;
  private static final String GUEST = "domains: {main: [guest]}\n";

  @TempDir Path home;

  private static Path pages() {
    return ExperimentSchema.HOME.resolve("docs/workloads");
  }

  private static List<String> examples(Path page) throws IOException {
    Matcher blocks = BLOCK.matcher(Files.readString(page));
    return blocks.results().map(match -> match.group(1)).toList();
  }

  @TestFactory
  Stream<DynamicTest> readAsTheyStand() throws IOException {
    try (Stream<Path> files = Files.list(pages())) {
      return files.filter(page -> page.toString().endsWith(".md")).toList().stream()
          .map(
              page ->
                  DynamicTest.dynamicTest(
                      page.getFileName().toString(),
                      () -> {
                        for (String example : examples(page)) {
                          assertReads(example);
                        }
                      }));
    }
  }

  private void assertReads(String example) throws IOException {
    boolean complete =
        Stream.of(
                "\nusers:",
                "\nscale:",
                "workload: observe",
                "name: command",
                "name: traffic",
                "name: prometheus",
                "name: sql")
            .anyMatch(example::contains);
    Path file = Files.createTempFile(home, "page", ".yaml");
    String guests = example.contains("\ndomains:") ? "" : GUEST;
    Files.writeString(file, REST + guests + example + (complete ? "" : "users: 25\n"));
    Experiment experiment = ExperimentFiles.read(file);
    assertThat(ExperimentFiles.read(Files.writeString(file, ExperimentFiles.toYaml(experiment))))
        .isEqualTo(experiment);
  }

  @Test
  void takesTheHomeForTilde() throws IOException {
    Path file = home.resolve("mail.yaml");
    Files.writeString(file, REST + GUEST + examples(pages().resolve("mail.md")).get(0));
    assertThat(ExperimentFiles.read(file).workload().options())
        .containsEntry(
            "accounts",
            Path.of(System.getProperty("user.home")).resolve("mail-accounts.csv").toString());
  }
}
