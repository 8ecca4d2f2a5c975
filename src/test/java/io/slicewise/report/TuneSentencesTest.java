package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.report.TuneReport.TuneSentences;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.sweep.source.TuneBench;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.Screening;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what a tune says of the limit of its goal. */
class TuneSentencesTest {
  @TempDir private Path directory;

  private RaceCourse race(String tune, int most, ToDoubleFunction<PlannedTrial> p95)
      throws IOException {
    return bench(tune, p95).run(most).race();
  }

  private TuneBench bench(String tune, ToDoubleFunction<PlannedTrial> p95) throws IOException {
    Experiment experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("tune.yaml"),
                """
                name: tuned
                host: {address: dom0}
                domains: {main: [web, db]}
                profiles: [as-found]
                workload: {name: web-app, target: http://web/}
                users: 10
                measure: 10s
                tune: {%s, search: {web: {weight: 64..4096}, db: {weight: 64..4096}}}
                """
                    .formatted(tune)));
    return new TuneBench(experiment, profiles -> Screening.Simulated.none("no model"), 1, p95);
  }

  @Test
  void tellsWhetherTheLimitIsMet() throws IOException {
    RaceCourse race =
        race(
            "goal: p95 < 120ms, budget: {windows: 400}",
            10_000,
            one -> TuneBench.truth(one.profile()));
    assertThat(TuneSentences.limit(race, race.limits().get(0)))
        .matches(
            "web \\d+, db \\d+ at 10 users: p95 < 120 ms is met: [\\d.]+ ms \\(95 % CI .* to"
                + " .*\\)");
  }
}
