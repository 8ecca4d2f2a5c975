package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.yaml.Option;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.file.HostSection;
import io.slicewise.experiment.file.LimitsSection;
import io.slicewise.experiment.file.TuningSection;
import io.slicewise.experiment.file.WorkloadSection;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.profile.ProfileFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in docs/experiment.md are sound, complete, and show the true defaults. */
class ExperimentPageTest {
  private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path home;

  @Test
  void theExampleReadsAndUsesEveryKey() throws IOException {
    String text = examples().get(0);
    JsonNode document = ExperimentSchema.YAML.readTree(text);
    assertThat(ExperimentSchema.experiment().complaints(document)).isEmpty();
    assertThat(names(document))
        .containsAll(
            without(ExperimentFiles.KEYS, "lab", "tune", "rate", "scale", "most-users", "guests"));
    assertThat(names(document.get("host")))
        .containsAll(without(Option.names(HostSection.options()), "local"));
    assertThat(names(document.get("workload"))).containsAll(WorkloadSection.KEYS);
    assertThat(names(document.get("limits"))).containsAll(Option.names(LimitsSection.OPTIONS));
    Experiment experiment = read(text);
    assertThat(experiment.profiles()).hasSize(5);
  }

  @Test
  void theExampleShowsTheDefaults() throws IOException {
    String text = examples().get(0);
    Experiment written = read(text);
    Experiment left = read(text.substring(0, text.indexOf("repetitions:")));
    assertThat(left).isEqualTo(written);
  }

  @Test
  void theProfilesRead() throws IOException {
    Path file = Files.writeString(home.resolve("profiles.yaml"), examples().get(1));
    assertThat(ProfileFiles.read(file)).hasSize(2);
  }

  @Test
  void theTuneReadsUsesEveryKeyAndShowsTheDefaults() throws IOException {
    String tune = examples().get(2);
    assertThat(names(ExperimentSchema.YAML.readTree(tune).get("tune")))
        .containsAll(Option.names(TuningSection.OPTIONS));
    String head = examples().get(0);
    String file =
        head.substring(0, head.indexOf("baseline:"))
            + head.substring(head.indexOf("workload:"), head.indexOf("stop:"));
    assertThat(ExperimentSchema.experiment().complaints(ExperimentSchema.YAML.readTree(file)))
        .isEmpty();
    Tuning written = read(file + tune).tuning().orElseThrow();
    String least = tune.replaceAll("(?m)^  (within|confidence|loads):.*\n", "");
    assertThat(least).doesNotContain("confidence");
    assertThat(read(file + least).tuning()).contains(written);
  }

  private Experiment read(String text) throws IOException {
    Path profiles = Files.createDirectories(home.resolve("scheduler-profiles"));
    Files.copy(
        ExperimentSchema.HOME.resolve("scheduler-profiles/web-app.yaml"),
        profiles.resolve("web-app.yaml"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Path directory = Files.createDirectories(home.resolve("experiments"));
    return ExperimentFiles.read(Files.writeString(directory.resolve("shop.yaml"), text));
  }

  private static List<String> examples() throws IOException {
    String page = Files.readString(ExperimentSchema.HOME.resolve("docs/experiment.md"));
    return BLOCK.matcher(page).results().map(match -> match.group(1)).toList();
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new java.util.ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<String> without(List<String> keys, String... left) {
    return keys.stream().filter(key -> !List.of(left).contains(key)).toList();
  }
}
