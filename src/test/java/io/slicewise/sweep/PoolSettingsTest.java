package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabOptions;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects a cpupool's time slice and rate limit: profiles set them, every window reads them back.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class PoolSettingsTest {

  @TempDir Path directory;

  private static Lab lab(String scheduler) {
    return Lab.start(
        LabOptions.sshOnly().withScheduler(Scheduler.ofXenName(scheduler).orElseThrow()));
  }

  private static String pool(RemoteShell shell, String scheduler) {
    return shell
        .run(Command.reading("xl", "sched-" + scheduler, "-s", "-p", "Pool-0"))
        .standardOutput()
        .strip();
  }

  private Path experiment(Lab lab, String scheduler, String parameters) throws IOException {
    Path file = LabExperiment.asFound(lab, directory);
    return Files.writeString(
        file,
        Files.readString(file)
            + "  - {name: other, scheduler: %s, pools: {Pool-0: {%s}}}%n"
                .formatted(scheduler, parameters));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "credit | timeslice: 5ms, ratelimit: 500us | timeslice 5 ms ratelimit 0.5 ms",
        "credit | ratelimit: none | timeslice 30 ms ratelimit none",
        "credit2 | ratelimit: 2ms | ratelimit 2 ms"
      })
  void aProfileSetsAWholePoolAndEveryTrialReadsItBack(
      String scheduler, String parameters, String text) throws IOException {
    try (Lab lab = lab(scheduler);
        RemoteShell shell = LabClient.open(lab)) {
      String asFound = pool(shell, scheduler);
      Experiment experiment = ExperimentFiles.read(experiment(lab, scheduler, parameters));
      Path results = directory.resolve("results");
      LocalSweep.of(experiment).begin(results).execute();
      List<TrialResult> trials = RunDirectory.newest(results).orElseThrow().results();
      assertThat(trials).allMatch(TrialResult::valid).hasSize(2);
      assertThat(trials)
          .filteredOn(result -> result.trial().profile().equals("other"))
          .singleElement()
          .satisfies(
              result ->
                  assertThat(result.host().after().get("cpupool Pool-0"))
                      .hasToString(scheduler + "-pool " + text));
      assertThat(pool(shell, scheduler)).isEqualTo(asFound);
    }
  }

  @Test
  void aPoolThatTheHostLacksIsRefusedBeforeAnythingIsChanged() throws IOException {
    try (Lab lab = lab("credit")) {
      Path file = experiment(lab, "credit", "timeslice: 5ms");
      Files.writeString(file, Files.readString(file).replace("Pool-0", "Pool-9"));
      LocalSweep sweep = LocalSweep.of(ExperimentFiles.read(file));
      assertThatThrownBy(() -> sweep.begin(directory.resolve("results")).execute())
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("cpupool Pool-9 is not a cpupool of the host with settings");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timeslice: 2s | 'is out of range 1ms..1s'",
        "timeslice: 1ms, ratelimit: 2ms | 'ratelimit 2ms is longer than the timeslice 1ms'",
        "weight: 512 | unknown key 'weight' of cpupool Pool-0"
      })
  void aFaultInAPoolsParametersIsNamed(String parameters, String sentence) throws IOException {
    Path file = directory.resolve("profiles.yaml");
    Files.writeString(
        file,
        "profiles:%n  other: {scheduler: credit, pools: {Pool-0: {%s}}}%n".formatted(parameters));
    assertThatThrownBy(() -> ProfileFiles.read(file)).hasMessageContaining(sentence);
  }
}
