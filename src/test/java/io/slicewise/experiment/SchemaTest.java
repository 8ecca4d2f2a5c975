package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.units.DurationText;
import io.slicewise.units.PercentText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
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
    assertThat(EXPERIMENT.keys("")).containsExactlyInAnyOrderElementsOf(ExperimentKeys.TOP);
    assertThat(EXPERIMENT.keys("/definitions/host"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.HOST);
    assertThat(EXPERIMENT.keys("/properties/domains"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.DOMAINS);
    assertThat(EXPERIMENT.keys("/properties/limits"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.LIMITS);
    assertThat(EXPERIMENT.keys("/properties/simulation"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.SIMULATION);
    assertThat(EXPERIMENT.keys("/properties/simulation/properties/demands"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.DEMANDS);
    assertThat(EXPERIMENT.keys("/properties/guard"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.GUARD);
    assertThat(EXPERIMENT.keys("/properties/stop"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.STOP);
    assertThat(EXPERIMENT.keys("/properties/stop/properties/within"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.WITHIN);
    assertThat(EXPERIMENT.keys("/definitions/workload")).containsAll(ExperimentKeys.WORKLOAD);
    assertThat(EXPERIMENT.keys("/definitions/profile-file"))
        .containsExactlyInAnyOrderElementsOf(ExperimentKeys.PROFILE_FILE);
    assertThat(EXPERIMENT.keys("/definitions/inline-profile"))
        .containsExactlyInAnyOrderElementsOf(ProfileFiles.inlineKeys());
  }

  @Test
  void hasTheReadersWordsAndRanges() {
    assertThat(words(EXPERIMENT.at("/properties/order/enum")))
        .containsExactlyElementsOf(ExperimentKeys.ORDERS.keySet());
    assertThat(words(EXPERIMENT.at("/properties/stop/properties/rule/enum")))
        .containsExactlyElementsOf(ExperimentKeys.STOP_RULES.keySet());
    assertThat(EXPERIMENT.at("/properties/stop/properties/rule/default").asText())
        .isEqualTo(Defaults.STOP_RULE.toString());
    assertThat(words(EXPERIMENT.at("/definitions/host/properties/toolstack/enum")))
        .isEqualTo(ExperimentKeys.TOOLSTACKS);
    assertThat(EXPERIMENT.at("/properties/name/pattern").asText())
        .isEqualTo(ExperimentReader.NAME_PATTERN);
    assertThat(EXPERIMENT.at("/properties/goal/pattern").asText()).isEqualTo(Aim.Goal.PATTERN);
    assertThat(EXPERIMENT.at("/properties/guard/properties/throughput/pattern").asText())
        .isEqualTo(AimReader.FALL);
    assertThat(EXPERIMENT.at("/definitions/rise/pattern").asText()).isEqualTo(AimReader.RISE);
    assertThat(EXPERIMENT.at("/definitions/percent/pattern").asText())
        .isEqualTo(PercentText.PATTERN);
    assertThat(PROFILES.at("/definitions/duration/pattern").asText())
        .isEqualTo(DurationText.PATTERN);
    assertThat(EXPERIMENT.at("/properties/simulation/properties/xen/pattern").asText())
        .isEqualTo(SimulationReader.XEN_PATTERN);
    assertThat(EXPERIMENT.at("/properties/simulation/properties/pcpus/maximum").asInt())
        .isEqualTo(SimulationReader.MOST_CPUS);
    assertThat(EXPERIMENT.at("/definitions/load/maximum").asInt())
        .isEqualTo(ExperimentReader.MOST_USERS);
    assertThat(EXPERIMENT.at("/properties/repetitions/maximum").asInt())
        .isEqualTo(ExperimentReader.MOST_REPETITIONS);
    assertThat(
            EXPERIMENT.at("/properties/stop/properties/within/properties/trials/maximum").asInt())
        .isEqualTo(ExperimentReader.MOST_REPETITIONS);
    assertThat(EXPERIMENT.at("/properties/limits/properties/repeat-invalid/maximum").asInt())
        .isEqualTo(LimitsReader.MOST_ATTEMPTS);
    assertThat(EXPERIMENT.at("/properties/seed/maximum").asLong())
        .isEqualTo(ExperimentReader.MOST_SEED);
  }

  @Test
  void saysOfWorkloadsWhatTheySayOfThemselves() throws IOException {
    // Through text, since numbers in memory know more types than JSON does.
    JsonNode parts = ExperimentSchema.YAML.readTree(WorkloadSchema.parts().toString());
    parts
        .properties()
        .forEach(
            part ->
                assertThat(EXPERIMENT.at("/definitions/" + part.getKey()))
                    .as("definition %s; WorkloadSchema prints them all", part.getKey())
                    .isEqualTo(part.getValue()));
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
            workload: {name: web-app, target: http://web/}
            users: 1
            """);
    JsonNode resolved =
        ExperimentSchema.YAML.readTree(ExperimentFiles.toYaml(ExperimentFiles.read(file)));
    assertThat(defaultsSame(EXPERIMENT.at("/properties"), resolved)).isEqualTo(8);
    assertThat(defaultsSame(EXPERIMENT.at("/properties/limits/properties"), resolved.get("limits")))
        .isEqualTo(6);
    assertThat(
            defaultsSame(EXPERIMENT.at("/properties/domains/properties"), resolved.get("domains")))
        .isEqualTo(1);
    Map.of("credit", 0, "credit2", 1, "sedf", 2, "rtds", 3)
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
    return shipped("experiments")
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(),
                    () -> {
                      JsonNode document = ExperimentSchema.YAML.readTree(file.toFile());
                      assertThat(EXPERIMENT.complaints(document)).isEmpty();
                      Experiment experiment = ExperimentFiles.read(file);
                      assertThat(Plan.of(experiment)).isNotEmpty();
                      assertThat(file.getFileName().toString()).startsWith(experiment.name());
                      assertThat(Files.readString(file))
                          .startsWith(
                              "# yaml-language-server: $schema=../docs/experiment.schema.json\n");
                    }));
  }

  @TestFactory
  Stream<DynamicTest> shippedProfilesSatisfySchemaAndReader() throws IOException {
    return shipped("scheduler-profiles")
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(),
                    () -> {
                      JsonNode document = ExperimentSchema.YAML.readTree(file.toFile());
                      assertThat(PROFILES.complaints(document)).isEmpty();
                      assertThat(ProfileFiles.read(file)).hasSize(document.get("profiles").size());
                      assertThat(Files.readString(file))
                          .startsWith(
                              "# yaml-language-server:"
                                  + " $schema=../docs/scheduler-profile.schema.json\n");
                    }));
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

  private static Stream<Path> shipped(String directory) throws IOException {
    try (Stream<Path> files = Files.list(ExperimentSchema.HOME.resolve(directory))) {
      List<Path> found = files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
      assertThat(found).isNotEmpty();
      return found.stream();
    }
  }

  private static List<String> words(JsonNode array) {
    List<String> words = new java.util.ArrayList<>();
    array.forEach(word -> words.add(word.asText()));
    return words;
  }
}
