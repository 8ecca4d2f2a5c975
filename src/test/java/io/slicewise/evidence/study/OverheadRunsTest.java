package io.slicewise.evidence.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Load;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.Tier;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.stats.Verdict;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the overhead study of runs: boots are paired in time, and only alike systems. */
class OverheadRunsTest {
  private static final Instant NIGHT = Instant.parse("2026-11-20T21:00:00Z");
  private static final String EXPERIMENT =
      """
      name: %s
      host: {address: machine.example}
      domains: {main: [%s]}
      profiles: [as-found]
      workload:
        name: tpch
        database: jdbc:postgresql://machine.example/bench
        database-user: bench
        scale: %s
      users: 1
      repetitions: 2
      """;

  @TempDir private Path directory;

  private RunDirectory run(int boot, boolean base, String scale, Map<String, Double> millis) {
    RecordedRun run =
        RecordedRun.begin(
            directory.resolve((base ? "base-" : "xen-") + boot),
            EXPERIMENT.formatted(base ? "bare" : "guest", "web", scale),
            NIGHT.plusSeconds(boot * 86_400L + (base ? 0 : 3600)));
    for (int pass = 1; pass <= 2; pass++) {
      Map<String, Double> seen = new TreeMap<>(millis);
      double scatter = 1 + 0.001 * boot;
      seen.replaceAll((query, time) -> time * scatter);
      run.trial(
          MadeTrials.trial(
              pass, pass, "as-found", Load.of(1), 1, seen, 5, Map.of("web", machine(base))));
    }
    return run.end();
  }

  private static MachineCounters machine(boolean base) {
    return MadeTrials.machine(
        base ? Tier.BASE : Tier.GUEST,
        Map.of("user", 4.0, "nice", 1.0, "system", base ? 0.5 : 1.5, "idle", 20.0),
        Map.of("pgfault", 1000.0),
        Map.of("xvda", MadeTrials.disk(512, 5, 16)),
        Map.of());
  }

  private List<RunDirectory> boots(int count) {
    List<RunDirectory> runs = new ArrayList<>();
    for (int boot = 1; boot <= count; boot++) {
      runs.add(run(boot, true, "1", Map.of("q06", 1000.0)));
      runs.add(run(boot, false, "1", Map.of("q06", 1250.0 + boot)));
    }
    return runs;
  }

  @Test
  void bootsArePairedAndCountersAreByExecution() {
    OverheadRuns runs = OverheadRuns.of(boots(3), true);
    OverheadStudy study = OverheadStudy.of(runs.data(), Optional.empty());
    Slowdowns arm = study.slowdowns().get(0);
    assertThat(arm.blocks()).isEqualTo(3);
    Slowdowns.Row query = arm.cases().get(0);
    assertThat(query.name()).isEqualTo("q06");
    assertThat(query.percent()).isCloseTo(25.2, within(0.01));
    assertThat(query.low()).isBetween(24.0, 25.2);
    assertThat(query.verdict()).contains(Verdict.WORSE);
    TimeBreakdown.Row xen =
        study.times().get(0).cases().stream()
            .filter(row -> row.tier().equals("xen"))
            .findFirst()
            .orElseThrow();
    assertThat(xen.user()).isCloseTo(1.0, within(1e-9));
    assertThat(xen.sys()).isCloseTo(0.3, within(1e-9));
    assertThat(study.faults().get(0).cases().get(0).xen()).isCloseTo(200, within(1e-9));
    assertThat(study.disks().get(0).cases().get(0).guest()).isCloseTo(0.8, within(1e-9));
    assertThat(runs.notes()).contains("pair 1: base-1, xen-1", "pair 3: base-3, xen-3");
  }

  @Test
  void oneBootOfEachCannotTellTheBootFromXen() {
    OverheadRuns runs = OverheadRuns.of(boots(1), true);
    assertThat(runs.notes())
        .contains("one boot of each system: boot and Xen cannot be distinguished");
    Slowdowns arm = Slowdowns.of(runs.data()).get(0);
    assertThat(arm.cases().get(0).low()).isFinite();
    assertThat(arm.low()).isNaN();
  }

  @Test
  void aBootWithoutAPartnerIsReported() {
    List<RunDirectory> runs = boots(2);
    runs.remove(3);
    assertThat(OverheadRuns.of(runs, true).notes()).contains("left out, without a partner: base-2");
  }

  @Test
  void unlikeSystemsAreRefusedUnlessAccepted() {
    List<RunDirectory> runs =
        List.of(
            run(1, true, "1", Map.of("q06", 1000.0)), run(1, false, "2", Map.of("q06", 1250.0)));
    assertThatThrownBy(() -> OverheadRuns.of(runs, false))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("base and guest differ in more than Xen")
        .hasMessageContaining("option scale")
        .hasMessageContaining("CPUs 16 / 4 vCPUs");
    assertThat(OverheadRuns.of(runs, true).notes())
        .anyMatch(note -> note.startsWith("accepted difference, base / guest: option scale"));
  }

  @Test
  void bothSystemsAreNeeded() {
    List<RunDirectory> runs = List.of(run(1, false, "1", Map.of("q06", 1250.0)));
    assertThatThrownBy(() -> OverheadRuns.of(runs, false))
        .hasMessageContaining("none of these runs is of a machine without a hypervisor");
  }

  /** Several queries in one window: their times are known, the counters belong to none of them. */
  @Test
  void aWindowOfSeveralQueriesHasNoCounters() {
    List<RunDirectory> runs =
        List.of(
            run(1, true, "1", Map.of("q06", 1000.0, "q01", 2000.0)),
            run(1, false, "1", Map.of("q06", 1250.0, "q01", 2100.0)));
    OverheadStudy study = OverheadStudy.of(OverheadRuns.of(runs, true).data(), Optional.empty());
    assertThat(study.slowdowns().get(0).cases()).hasSize(2);
    assertThat(study.times()).isEmpty();
    assertThat(study.faults()).isEmpty();
  }
}
