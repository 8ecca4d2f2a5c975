package io.slicewise.study.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Axis;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import io.slicewise.sweep.source.TrialHistory;
import io.slicewise.sweep.source.TrialSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects that a search depends only on what was measured, and ends where nothing counts. */
class EdgeCourseTest {
  @TempDir private Path directory;
  private Experiment experiment;

  @BeforeEach
  void read() throws IOException {
    experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("fit.yaml"),
                """
                name: fit
                lab: {guests: [{name: a, vcpus: 1}, {name: b, vcpus: 1}, {name: c, vcpus: 1}, {name: d, vcpus: 1}]}
                domains: {main: [a, b, c, d]}
                profiles:
                  - {name: even, scheduler: credit, main: {weight: 256}}
                  - {name: capped, scheduler: credit, main: {weight: 256, cap: 30}}
                baseline: even
                workload: vps
                users: 6
                guests: 1..4
                goal: p95 < 250ms
                order: edge
                repetitions: 3
                """));
  }

  /** A trial whose guests take 75 ms for each guest, and half as long again with the cap. */
  private Measured measured(Trial trial, boolean valid) {
    int guests = trial.load().count(Axis.GUESTS).orElseThrow();
    double time =
        75
            * guests
            * (trial.profile().equals("capped") ? 1.5 : 1)
            * (1 + 0.01 * trial.repetition());
    Map<String, Double> metrics = new HashMap<>(Map.of("throughput", 10.0 * guests));
    experiment.loaded(trial.load()).forEach(tile -> metrics.put(Measured.of("p95", tile), time));
    return new Measured(trial, valid, metrics, List.of(), 30);
  }

  private List<Measured> search(boolean valid) {
    List<Measured> measured = new ArrayList<>();
    for (List<Trial> next = new EdgeCourse(experiment, measured).next();
        !next.isEmpty();
        next = new EdgeCourse(experiment, measured).next()) {
      next.forEach(trial -> measured.add(measured(trial, valid)));
    }
    return measured;
  }

  @Test
  void aSearchKilledAtAnyTrialGoesOnWithTheSameTrials() {
    List<Measured> whole = search(true);
    EdgeCourse course = new EdgeCourse(experiment, whole);
    assertThat(course.curves())
        .extracting(curve -> curve.search().fits().orElseThrow())
        .containsExactly(3, 2);
    assertThat(course.curves()).allMatch(curve -> curve.search().found());
    for (int killed = 0; killed < whole.size(); killed++) {
      List<Measured> kept = new ArrayList<>(whole.subList(0, killed));
      for (List<Trial> next = new EdgeCourse(experiment, kept).next();
          !next.isEmpty();
          next = new EdgeCourse(experiment, kept).next()) {
        kept.add(measured(next.get(0), true));
      }
      assertThat(kept)
          .as("killed after " + killed)
          .extracting(Measured::trial)
          .containsExactlyInAnyOrderElementsOf(whole.stream().map(Measured::trial).toList());
    }
  }

  @Test
  void aResumedSearchKnowsTheTrialsOfAllItsRounds() {
    TrialHistory begun = new TrialHistory(List.of(), List.of(), Set.of(), 0, Duration.ZERO);
    assertThat(TrialSource.of(experiment).possible(begun))
        .extracting(PlannedTrial::trial)
        .containsAll(search(true).stream().map(Measured::trial).toList());
  }

  @Test
  void aSearchWithoutATrialThatCountsEndsAtTheFirstNumber() {
    assertThat(search(false))
        .hasSize(2 * 9)
        .allMatch(one -> one.trial().load().count(Axis.GUESTS).orElseThrow() == 1);
  }
}
