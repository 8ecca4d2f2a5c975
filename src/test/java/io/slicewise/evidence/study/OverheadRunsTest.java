package io.slicewise.evidence.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.study.OverheadStudy.ConnectionCost;
import io.slicewise.experiment.load.Load;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.run.LoadedRun;
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
      host: {address: machine.example%s}
      domains: {main: [%s]}
      profiles: [as-found]
      workload:
        name: tpch
        database: jdbc:postgresql://machine.example/bench
        database-user: bench
        %s
      users: 1
      repetitions: 2
      """;

  @TempDir private Path directory;

  private RunDirectory run(int boot, boolean base, String scale, Map<String, Double> millis) {
    return run(boot, base, "scale: " + scale, millis, Map.of());
  }

  private RunDirectory run(
      int boot,
      boolean base,
      String options,
      Map<String, Double> millis,
      Map<String, String> facts) {
    String name = options.replaceAll("[^a-z]*scale: 1|[^a-z]", "");
    RecordedRun run =
        RecordedRun.begin(
                directory.resolve((base ? "base-" : "xen-") + boot + name.replace("scale", "")),
                base
                    ? EXPERIMENT.formatted("bare", ", hypervisor: none", "base", options)
                    : EXPERIMENT.formatted("guest", "", "web", options),
                NIGHT.plusSeconds(boot * 86_400L + (base ? 0 : 3600)))
            .fingerprinted(facts);
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
    OverheadRuns runs = OverheadRuns.of(loaded(boots(3)), true, false);
    OverheadStudy study = OverheadStudy.of(runs.data(), Optional.empty());
    Slowdowns arm = study.slowdowns().get(0);
    assertThat(arm.blocks()).isEqualTo(3);
    Slowdowns.Row query = arm.cases().get(0);
    assertThat(query.name()).isEqualTo("q06");
    assertThat(query.change().percent()).isCloseTo(25.2, within(0.01));
    assertThat(query.change().low()).isBetween(24.0, 25.2);
    assertThat(query.verdict()).contains(Verdict.WORSE);
    TimeBreakdown.Row xen =
        study.times().get(0).cases().stream()
            .filter(row -> row.tier().equals("xen"))
            .findFirst()
            .orElseThrow();
    assertThat(xen.user()).isCloseTo(1.0, within(1e-9));
    assertThat(xen.sys()).isCloseTo(0.3, within(1e-9));
    assertThat(study.faults().get(0).cases().get(0).xen()).isCloseTo(200, within(1e-9));
    assertThat(study.disks().get(0).cases().get(0).reads().guest()).isCloseTo(0.8, within(1e-9));
    assertThat(runs.notes()).contains("pair 1: base-1, xen-1", "pair 3: base-3, xen-3");
  }

  @Test
  void oneBootOfEachCannotTellTheBootFromXen() {
    OverheadRuns runs = OverheadRuns.of(loaded(boots(1)), true, false);
    assertThat(runs.notes())
        .contains("one boot of each system: boot and Xen cannot be distinguished");
    Slowdowns arm = Slowdowns.of(runs.data()).get(0);
    assertThat(arm.cases().get(0).change().low()).isFinite();
    assertThat(arm.low()).isNaN();
  }

  @Test
  void aBootWithoutAPartnerIsReported() {
    List<RunDirectory> runs = boots(2);
    runs.remove(3);
    assertThat(OverheadRuns.of(loaded(runs), true, false).notes())
        .contains("left out, without a partner: base-2");
  }

  @Test
  void unlikeSystemsAreRefusedUnlessAccepted() {
    List<RunDirectory> runs =
        List.of(
            run(1, true, "1", Map.of("q06", 1000.0)), run(1, false, "2", Map.of("q06", 1250.0)));
    assertThatThrownBy(() -> OverheadRuns.of(loaded(runs), false, false))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("base and guest differ in more than Xen")
        .hasMessageContaining("option scale")
        .hasMessageContaining("CPUs 16 / 4 vCPUs")
        .hasMessageNotContaining("domains");
    assertThat(OverheadRuns.of(loaded(runs), true, false).notes())
        .anyMatch(note -> note.startsWith("accepted difference, base / guest: option scale"));
  }

  /** A fingerprint of one machine decides; what both lack or only one shows does not. */
  @Test
  void anotherDatabaseOrCpuIsNamedAndOtherFactsAreNoted() {
    Map<String, String> base =
        Map.of(
            "CPU model", "A",
            "governor", "performance",
            "PostgreSQL version", "18.1",
            "PostgreSQL work_mem", "64MB");
    Map<String, String> xen =
        Map.of(
            "CPU model", "B",
            "governor", "powersave",
            "clocksource", "xen",
            "PostgreSQL version", "18.3",
            "PostgreSQL jit", "off");
    List<RunDirectory> runs =
        List.of(
            run(1, true, "scale: 1", Map.of("q06", 1000.0), base),
            run(1, false, "scale: 1", Map.of("q06", 1250.0), xen));
    assertThatThrownBy(() -> OverheadRuns.of(loaded(runs), false, false))
        .message()
        .contains(
            "CPU model A / B", "PostgreSQL jit default / off", "PostgreSQL work_mem 64MB / default")
        .doesNotContain("version", "governor");
    assertThat(OverheadRuns.of(loaded(runs), true, false).notes())
        .contains("also different, base / guest: governor performance / powersave");
  }

  @Test
  void bootsOfOneSystemMakeAnAaAndNoVerdict() {
    List<RunDirectory> runs = new ArrayList<>();
    for (int boot = 1; boot <= 6; boot++) {
      runs.add(run(boot, true, "1", Map.of("q06", 1000.0 + (boot % 3))));
    }
    OverheadRuns paired = OverheadRuns.of(loaded(runs), false, true);
    assertThat(paired.notes())
        .contains(
            "A/A, boots of one system: false alarms 0 of 1",
            "pair 1: base-1, base-2",
            "pair 3: base-5, base-6");
    Slowdowns.Row query = Slowdowns.of(paired.data()).get(0).cases().get(0);
    assertThat(query.change().percent()).isBetween(-1.0, 1.0);
    assertThat(query.verdict().filter(Verdict.WORSE::equals)).isEmpty();
    runs.add(run(7, false, "1", Map.of("q06", 1000.0)));
    assertThatThrownBy(() -> OverheadRuns.of(loaded(runs), false, true))
        .hasMessageContaining("are of different systems");
    assertThatThrownBy(() -> OverheadRuns.of(loaded(runs.subList(0, 1)), false, true))
        .hasMessageContaining("an A/A needs at least two boots of the system");
  }

  @Test
  void anAaThatShowsADifferenceVoidsTheStudy() {
    List<RunDirectory> runs = new ArrayList<>();
    for (int boot = 1; boot <= 6; boot++) {
      double other = boot % 2 == 0 ? 1250 : 1000;
      runs.add(run(boot, true, "1", Map.of("q01", 500.0 + boot % 3, "q06", other)));
    }
    assertThat(OverheadRuns.of(loaded(runs), false, true).notes())
        .contains(
            "A/A, boots of one system: false alarms 1 of 2 (q06), so the study cannot be trusted");
  }

  /** A connection for each query and a kept one are arms of one study, with pairs of their own. */
  @Test
  void armsArePairedByThemselvesAndGiveTheCostOfAFault() {
    String query = "connection: query";
    List<RunDirectory> runs =
        List.of(
            run(1, true, "connection: one", Map.of("q06", 1000.0), Map.of()),
            run(1, false, "connection: one", Map.of("q06", 1100.0), Map.of()),
            run(2, true, query, Map.of("q06", 1200.0), Map.of()),
            run(2, false, query, Map.of("q06", 1500.0), Map.of()));
    OverheadRuns paired = OverheadRuns.of(loaded(runs), true, false);
    assertThat(paired.notes())
        .contains("pair 1 (connection one): base-1connectionone, xen-1connectionone")
        .contains("pair 1 (connection per query): base-2connectionquery, xen-2connectionquery");
    assertThat(Slowdowns.of(paired.data()))
        .extracting(Slowdowns::arm)
        .containsExactly("connection one, 1 user", "connection per query, 1 user");
    assertThat(ConnectionCost.of(paired.data()))
        .singleElement()
        .satisfies(cost -> assertThat(cost.xen().bySums()).as("no more faults").isNaN());
  }

  @Test
  void bothSystemsAreNeeded() {
    List<RunDirectory> runs = List.of(run(1, false, "1", Map.of("q06", 1250.0)));
    assertThatThrownBy(() -> OverheadRuns.of(loaded(runs), false, false))
        .hasMessageContaining("none of these runs is of a machine without a hypervisor");
  }

  /** Several queries in one window: their times are known, the counters belong to none of them. */
  @Test
  void aWindowOfSeveralQueriesHasNoCounters() {
    List<RunDirectory> runs =
        List.of(
            run(1, true, "1", Map.of("q06", 1000.0, "q01", 2000.0)),
            run(1, false, "1", Map.of("q06", 1250.0, "q01", 2100.0)));
    OverheadStudy study =
        OverheadStudy.of(OverheadRuns.of(loaded(runs), true, false).data(), Optional.empty());
    assertThat(study.slowdowns().get(0).cases()).hasSize(2);
    assertThat(study.times()).isEmpty();
    assertThat(study.faults()).isEmpty();
  }

  private static List<LoadedRun> loaded(List<RunDirectory> runs) {
    return runs.stream().map(RunDirectory::load).toList();
  }
}
