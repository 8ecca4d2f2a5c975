package io.slicewise.sweep.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.profile.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Guests by patterns: what a run sets is what the host has when it begins, and never by accident.
 */
class GuestPatternsTest {
  private static final List<String> GUESTS =
      List.of("web-1.service", "web-2.service", "web", "batch.service", "db.service");

  @TempDir private Path directory;

  private Experiment experiment(String domains, String profile) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("experiment.yaml"),
            """
            name: groups
            host: {local: true, hypervisor: groups}
            domains: %s
            workload: observe
            profiles:
              - %s
            """
                .formatted(domains, profile)));
  }

  @Test
  void takesTheGuestsThatMatchAndAreNotListed() throws IOException {
    Experiment resolved =
        GuestPatterns.resolved(
            experiment(
                "{main: [web-1.service], other: ['web-*', '*.service']}",
                "{name: p, scheduler: fair, main: {shares: 800}, other: {shares: 100}}"),
            GUESTS);
    assertThat(resolved.domains().get(Role.MAIN)).containsExactly("web-1.service");
    assertThat(resolved.domains().get(Role.OTHER))
        .containsExactly("web-2.service", "batch.service", "db.service");
    assertThat(resolved.settings(resolved.profiles().get(0)))
        .containsOnlyKeys("web-1.service", "web-2.service", "batch.service", "db.service");
    assertThat(ExperimentFiles.toYaml(resolved)).as("what a run keeps").doesNotContain("*");
  }

  @Test
  void refusesAPatternThatMatchesNothing() throws IOException {
    Experiment experiment = experiment("{main: ['mail-*']}", "as-found");
    assertThatThrownBy(() -> GuestPatterns.resolved(experiment, GUESTS))
        .hasMessage("mail-* in 'domains' matches no guest that is not listed already");
  }

  @Test
  void refusesAPatternWhereOnlyAGuestCanBe() throws IOException {
    Experiment experiment =
        experiment(
            "{main: ['web-*']}", "{name: p, scheduler: fair, domains: {'web-*': {shares: 800}}}");
    assertThatThrownBy(() -> GuestPatterns.resolved(experiment, GUESTS))
        .hasMessage("a profile sets web-*, and only 'domains' takes patterns");
  }
}
