package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: no metric decides that nobody measured. */
class QuestionTest {
  @TempDir private Path directory;

  @Test
  void theGoalDecidesWhereATrialLacksItsMetricAndAllLackEveryOther() throws IOException {
    Experiment experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("observe.yaml"),
                """
                name: observe
                host: {address: dom0}
                domains: {main: [web]}
                profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
                workload: observe
                goal: highest run share of web
                repetitions: 2
                """));
    DomainShares web = new DomainShares("web", 1, 2, 0.2, 0.1, 0.7, "");
    List<TrialResult> trials =
        List.of(
            trial(experiment, 1, "as-found", web),
            trial(experiment, 2, "heavy", web),
            trial(experiment, 3, "heavy"),
            trial(experiment, 4, "as-found", web));

    assertThat(Question.of(experiment, trials).primary())
        .isEqualTo(Metric.of(experiment.aim().goal().orElseThrow()));
    assertThat(Question.replacement(experiment, trials)).isEmpty();
  }

  private static TrialResult trial(
      Experiment experiment, int number, String profile, DomainShares... shares) {
    int block = (number + 1) / 2;
    Trial trial = new Trial(number, block, profile, experiment.loads().get(0), block);
    return Trials.result(trial, List.of(), null, shares);
  }
}
