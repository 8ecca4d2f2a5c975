package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.findings.BlockDrift;
import io.slicewise.evidence.findings.ProfileGrid;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Sedf;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.table.BoxSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects what charts draw beside a sweep's cells: boxes, drift by block, grids of profiles. */
class ChartFactsTest {
  @Test
  void boxesHoldTheWorkedExample() {
    assertThat(BoxSummary.of(10, 11, 12, 13, 30)).isEqualTo(new BoxSummary(10, 11, 12, 13, 13));
    assertThat(BoxSummary.of(7)).isEqualTo(new BoxSummary(7, 7, 7, 7, 7));
  }

  @Test
  void tellsHowFarATrialLiesFromItsOwnCellAndABlockFromAllCells() {
    Experiment experiment = Trials.experiment(List.of(10), 2, "a", "b");
    List<TrialResult> results =
        List.of(
            Trials.trial(1, "a", 10, 1, 100),
            Trials.trial(2, "b", 10, 1, 50),
            Trials.trial(3, "a", 10, 2, 144),
            Trials.trial(4, "b", 10, 2, 72));
    BlockDrift drift = BlockDrift.of(experiment, results, Metric.THROUGHPUT);
    // Geometric means are 120 and 60: every trial of the first block lies a sixth below.
    assertThat(drift.trials()).hasSize(4);
    assertThat(drift.trials().get(0).percent()).isCloseTo(-100.0 / 6, within(1e-9));
    assertThat(drift.blocks())
        .extracting(BlockDrift.Block::percent)
        .satisfiesExactly(
            first -> assertThat(first).isCloseTo(-100.0 / 6, within(1e-9)),
            second -> assertThat(second).isCloseTo(20, within(1e-9)));
  }

  @Test
  void findsTheGridOfWeightsAndCapsWithNoCapAsTheWidest() {
    List<ProfileGrid> grids =
        ProfileGrid.of(
            experiment(
                credit("a", 256, 0),
                credit("b", 512, 0),
                credit("c", 256, 50),
                credit("d", 512, 50)));
    assertThat(grids).hasSize(1);
    ProfileGrid grid = grids.get(0);
    assertThat(grid.scheduler()).isEqualTo(Scheduler.CREDIT);
    assertThat(grid.domains()).containsExactly("Domain-0");
    assertThat(grid.across()).isEqualTo(new ProfileGrid.Axis("weight", "", List.of(256.0, 512.0)));
    assertThat(grid.down()).isEqualTo(new ProfileGrid.Axis("cap", "%", List.of(50.0, 0.0)));
    assertThat(grid.places()).contains(new ProfileGrid.Place(1, 0, "d"));
  }

  @Test
  void findsTheGridOfSlicesAndPeriods() {
    List<ProfileGrid> grids =
        ProfileGrid.of(
            experiment(sedf("a", 20, 5), sedf("b", 20, 10), sedf("c", 100, 5), sedf("d", 100, 10)));
    assertThat(grids).hasSize(1);
    assertThat(grids.get(0).across())
        .isEqualTo(new ProfileGrid.Axis("period", "ms", List.of(20.0, 100.0)));
    assertThat(grids.get(0).down())
        .isEqualTo(new ProfileGrid.Axis("slice", "ms", List.of(5.0, 10.0)));
  }

  @Test
  void takesARowOfProfilesForNoGrid() {
    assertThat(ProfileGrid.of(experiment(credit("a", 256, 0), credit("b", 512, 0)))).isEmpty();
    assertThat(ProfileGrid.of(experiment(credit("a", 256, 0), credit("b", 512, 50)))).isEmpty();
  }

  private static SchedulerProfile credit(String name, int weight, int cap) {
    return profile(name, Scheduler.CREDIT, Credit.of(weight, cap));
  }

  private static SchedulerProfile sedf(String name, int period, int slice) {
    return profile(
        name,
        Scheduler.SEDF,
        Sedf.of(Duration.ofMillis(period), Duration.ofMillis(slice), Duration.ZERO, false, 0));
  }

  private static SchedulerProfile profile(
      String name, Scheduler scheduler, SchedulerParameters parameters) {
    return new SchedulerProfile(
        name, Optional.of(scheduler), Map.of(), Map.of("Domain-0", parameters));
  }

  private static Experiment experiment(SchedulerProfile... profiles) {
    return Trials.experiment(List.of(10), 1, new ArrayList<>(List.of(profiles)));
  }
}
