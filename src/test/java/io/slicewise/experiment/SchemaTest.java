package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.experiment.file.AimSection;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.file.ExperimentReader;
import io.slicewise.experiment.file.WorkloadSection;
import io.slicewise.profile.ProfileFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;

/**
 * The schemas that editors use say what the reader does: the same keys, words, patterns, ranges and
 * defaults; and every shipped file satisfies both.
 */
class SchemaTest {
  private static final ExperimentSchema EXPERIMENT = ExperimentSchema.experiment();
  private static final ExperimentSchema PROFILES = ExperimentSchema.profiles();

  @Test
  void hasTheReadersKeys() {
    hasKeys("", ExperimentFiles.KEYS);
    hasKeys("/definitions/inline-profile", ProfileFiles.inlineKeys());
    assertThat(EXPERIMENT.keys("/definitions/workload")).containsAll(WorkloadSection.KEYS);
  }

  private static void hasKeys(String place, List<String> keys) {
    assertThat(EXPERIMENT.keys(place)).as(place).containsExactlyInAnyOrderElementsOf(keys);
  }

  @Test
  void hasTheReadersPatterns() {
    hasText("/properties/name/pattern", ExperimentReader.NAME_PATTERN);
    hasText("/definitions/rise/pattern", AimSection.RISE);
    hasText("/definitions/percent/pattern", PercentText.PATTERN);
    assertThat(PROFILES.at("/definitions/duration/pattern").asText())
        .isEqualTo(DurationText.PATTERN);
  }

  private static void hasText(String place, String text) {
    assertThat(EXPERIMENT.at(place).asText()).as(place).isEqualTo(text);
  }

  @Test
  void publishedSchemasAreWhatTheReadersDescribe() throws IOException {
    isPublished(PublishedSchema.FILE, PublishedSchema.text());
    isPublished(ProfileSchema.FILE, ProfileSchema.text());
  }

  private static void isPublished(Path file, String text) throws IOException {
    if (Boolean.getBoolean("slicewise.write-schemas")) {
      Files.writeString(file, text);
    }
    assertThat(Files.readString(file))
        .as("run mvn test -Dtest=SchemaTest -Dslicewise.write-schemas=true, and commit the file")
        .isEqualTo(text);
  }

  @Test
  void hasTheReadersDefaults(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("least.yaml"),
            """
            name: least
            host: {address: dom0}
            domains: {main: [web]}
            profiles:
              - {name: a, scheduler: credit, main: {}}
              - {name: b, scheduler: credit2, main: {}}
              - {name: c, scheduler: sedf, main: {}}
              - {name: d, scheduler: rtds, main: {}}
              - {name: e, scheduler: cfs, main: {}}
            workload: {name: web-app, target: http://web/}
            users: 1
            """);
    JsonNode resolved =
        ExperimentSchema.YAML.readTree(ExperimentFiles.toYaml(ExperimentFiles.read(file)));
    assertThat(defaultsSame(EXPERIMENT.at("/properties"), resolved)).isEqualTo(8);
    assertThat(defaultsSame(EXPERIMENT.at("/properties/limits/properties"), resolved.get("limits")))
        .isEqualTo(10);
    assertThat(
            defaultsSame(EXPERIMENT.at("/properties/domains/properties"), resolved.get("domains")))
        .isEqualTo(1);
    Map.of("credit", 0, "credit2", 1, "sedf", 2, "rtds", 3, "cfs", 4)
        .forEach(
            (scheduler, place) -> {
              JsonNode parameters = resolved.get("profiles").get(place).get("main");
              JsonNode properties = PROFILES.at("/definitions/" + scheduler + "/properties");
              assertThat(defaultsSame(properties, parameters)).isEqualTo(parameters.size());
            });
  }

  /** How many defaults the schema gives; each must be what the reader filled in. */
  private static int defaultsSame(JsonNode properties, JsonNode resolved) {
    int defaults = 0;
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      JsonNode value = property.getValue().get("default");
      if (value != null) {
        defaults++;
        assertThat(resolved.get(property.getKey())).as(property.getKey()).isEqualTo(value);
      }
    }
    return defaults;
  }

  @TestFactory
  Stream<DynamicTest> shippedExperimentsSatisfySchemaAndReader() throws IOException {
    return shipped(
        "experiments",
        file -> {
          satisfies(EXPERIMENT, "experiment", file);
          Experiment experiment = ExperimentFiles.read(file);
          assertThat(Plan.of(experiment)).isNotEmpty();
          assertThat(file.getFileName().toString()).startsWith(experiment.name());
        });
  }

  @TestFactory
  Stream<DynamicTest> shippedProfilesSatisfySchemaAndReader() throws IOException {
    return shipped(
        "scheduler-profiles",
        file -> {
          JsonNode document = satisfies(PROFILES, "scheduler-profile", file);
          assertThat(ProfileFiles.read(file)).hasSize(document.get("profiles").size());
        });
  }

  private static JsonNode satisfies(ExperimentSchema schema, String name, Path file)
      throws IOException {
    JsonNode document = ExperimentSchema.YAML.readTree(file.toFile());
    assertThat(schema.complaints(document)).isEmpty();
    assertThat(Files.readString(file))
        .startsWith("# yaml-language-server: $schema=../docs/" + name + ".schema.json\n");
    return document;
  }

  @Test
  void theStudysSweepsHaveItsTrials() {
    assertThat(trials("web-app")).isEqualTo(10 * 5 * 5);
    assertThat(trials("vps")).isEqualTo(10 * 5 * 5);
    assertThat(trials("portal")).isEqualTo(9 * 4 * 5);
  }

  private static int trials(String name) {
    Path file = ExperimentSchema.HOME.resolve("experiments").resolve(name + ".yaml");
    return Plan.of(ExperimentFiles.read(file)).size();
  }

  private static Stream<DynamicTest> shipped(String directory, ThrowingConsumer<Path> check)
      throws IOException {
    try (Stream<Path> files = Files.list(ExperimentSchema.HOME.resolve(directory))) {
      List<Path> found = files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
      assertThat(found).isNotEmpty();
      return DynamicTest.stream(found.stream(), file -> file.getFileName().toString(), check);
    }
  }
}
