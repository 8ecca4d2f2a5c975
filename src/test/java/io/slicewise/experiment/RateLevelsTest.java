package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rate takes the place of users in an experiment file, and is written as it was read. */
class RateLevelsTest {
  private static final String HEAD =
      """
      name: open
      host: {address: dom0.example}
      domains: {main: [web]}
      profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
      workload: {name: web-app, target: "http://web/"}
      """;

  @TempDir private Path directory;

  private Experiment read(String more) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("open.yaml"), HEAD + more));
  }

  @Test
  void everyRateIsALoad() throws IOException {
    Experiment experiment = read("rate: [2.5, 40, 100]\n");
    assertThat(experiment.loads())
        .extracting(Load::text)
        .containsExactly("2.5 arrivals/s", "40 arrivals/s", "100 arrivals/s");
    assertThat(experiment.loads()).extracting(Load::mark).containsExactly("a2.5", "a40", "a100");
    assertThat(experiment.users())
        .as("two seconds of arrivals, at least 50")
        .containsExactly(50, 80, 200);
    assertThat(experiment.isOpen()).isTrue();
    assertThat(experiment.loads().get(0).properties()).isEqualTo(Map.of("slicewise.rate", "2.5"));
    assertThat(read("rate: 5\nmost-users: 7\n").users()).containsExactly(7);
    assertThat(read("users: 5\n").isOpen()).isFalse();
  }

  @Test
  void isReadBackAsItWasWrittenOut() throws IOException {
    Experiment experiment = read("rate: [2.5, 40]\nmost-users: 60\n");
    Path resolved = directory.resolve("resolved.yaml");
    Files.writeString(resolved, ExperimentFiles.toYaml(experiment));
    assertThat(ExperimentFiles.read(resolved)).isEqualTo(experiment);
    assertThat(resolved).content().contains("rate:", "most-users: 60").doesNotContain("\nusers:");
  }

  @Test
  void refusesWhatContradictsIt() {
    refuses("users: 5\nrate: 5\n", "users and rate cannot be set together");
    refuses("rate: 0\n", "rate 0 must be a number above 0");
    refuses("rate: [5, 5]\n", "rate 5 is listed twice");
    refuses("users: 5\nmost-users: 9\n", "'most-users' has no meaning without 'rate'");
    refuses("", "'users' is missing");
    refuses(
        "rate: 5\ngenerators: {jmeter-servers: [\"gen1:1099\"], keystore: k.jks}\n",
        "JMeter's own servers cannot run arrivals at a rate");
  }

  private void refuses(String more, String sentence) {
    assertThatThrownBy(() -> read(more)).hasMessageContaining(sentence);
  }
}
