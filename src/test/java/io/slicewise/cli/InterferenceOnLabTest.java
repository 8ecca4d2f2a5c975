package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The interference study from the experiment to the verdict, over real SSH and SQL: neighbours on
 * the same disk slow the guest and are named, and what guests, backends, disk, hypervisor and
 * clients count agrees in every trial.
 */
@Tag("nightly")
@KeepsTheMachineBusy
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterferenceOnLabTest {
  private static final double SHARE = 0.01;

  /**
   * A trace covers half a second before the window, and whole seconds, while guests are read at the
   * window's ends (docs/observers.md).
   */
  private static final double TRACE_SECONDS = 0.2;

  private static final double SLACK_BYTES = 200_000;

  private RunDirectory run;
  private JsonNode study;

  /** The experiment of the documentation, on a machine with other work, with exact waits. */
  private static Path experiment(Path directory) throws IOException {
    String text =
        Files.readString(
                Path.of(System.getProperty("slicewise.home", "."), "experiments/interference.yaml"))
            .replace("  pcpus: 2\n", "  pcpus: 2\n  xenmon: false\n")
            .replaceFirst("repetitions: 3.*", "repetitions: 2")
            .replaceFirst(
                "limits: .*",
                "limits: {generator-lateness: 2s, lab-lateness: 2s, generator-cpu: 100%,"
                    + " other-work: 100%, littles-law: 100%}");
    return Files.writeString(directory.resolve("interference.yaml"), text);
  }

  @BeforeAll
  void runTheStudy(@TempDir Path directory) throws IOException {
    Path results = directory.resolve("results");
    Said said =
        CommandLines.run("run", experiment(directory).toString(), "--results", results.toString());
    assertThat(said.exit()).as(said.err()).isIn(CommandLines.measured());
    try (Stream<Path> runs = Files.list(results)) {
      run = RunDirectory.open(runs.filter(Files::isDirectory).findFirst().orElseThrow());
    }
    Said asked =
        CommandLines.run("study", "interference", run.root().toString(), "--format", "json");
    assertThat(asked.exit()).as(asked.err()).isZero();
    study = Json.mapper().readTree(asked.out());
  }

  @Test
  void neighboursOnTheSameDiskAreNamed() throws IOException {
    JsonNode beside = study.at("/rows/1/measures");
    assertThat(beside.at("/loss/mean").asDouble()).isGreaterThan(10);
    assertThat(beside.at("/others/mean").asDouble()).isBetween(20.0, 95.0);
    assertThat(beside.at("/own/mean").asDouble()).as("dom0 reads nothing").isBetween(-5.0, 5.0);
    assertThat(study.at("/traffic").findValuesAsText("domain"))
        .contains("Database", "Other_1", "Other_2");
    assertThat(Files.readString(run.root().resolve("report.html")))
        .contains("id=\"study-drop\"", "Interference study: EXTERNAL: ")
        .doesNotContain("Nothing to compare");
  }

  @Test
  void everyMachinesTimeAddsUpAndItsStealIsItsWait() {
    for (TrialResult trial : run.results()) {
      assertThat(trial.machines()).containsKeys("Domain-0", "Database", "Other_1", "Other_2");
      trial
          .machines()
          .forEach(
              (name, machine) -> {
                double there = machine.cpus() * machine.seconds();
                assertThat(machine.allCpuSeconds())
                    .as("%s in %s", name, trial.trial().slug())
                    .isCloseTo(there, within(SHARE * there));
                // A guest that never ran has no wait in a trace.
                if (machine.tier() == Tier.GUEST && Double.isFinite(kept(trial, name))) {
                  assertThat(machine.share(MachineCounters.STEAL))
                      .as("%s in %s", name, trial.trial().slug())
                      .isCloseTo(
                          kept(trial, name), within(0.02 + TRACE_SECONDS / machine.seconds()));
                }
              });
    }
  }

  /** Returns the share in which the hypervisor kept a domain from running. */
  private static double kept(TrialResult trial, String name) {
    assertThat(trial.monitor().source()).isEqualTo("xenalyze");
    DomainShares shares =
        trial.shares().stream().filter(one -> one.domain().equals(name)).findFirst().orElseThrow();
    return shares.waiting()
        + shares.others().stream()
            .filter(reading -> reading.name().equals(HypervisorShares.PARKED))
            .mapToDouble(Reading::value)
            .sum();
  }

  @Test
  void allLayersMoveTheSameBytesAndTheirSharesAddUp() {
    for (TrialResult trial : run.results()) {
      MachineCounters dom0 = trial.machines().get("Domain-0");
      for (ToDoubleFunction<DiskCounters> bytes :
          List.<ToDoubleFunction<DiskCounters>>of(
              DiskCounters::bytesRead, DiskCounters::bytesWritten)) {
        double served = 0;
        for (Map.Entry<String, DiskCounters> backend : dom0.counted().backends().entrySet()) {
          String[] disk = backend.getKey().split("/", 2);
          double moved = bytes.applyAsDouble(backend.getValue());
          served += moved;
          // Other_3 has no login, and a disk that was never used has no counters.
          double seen =
              Optional.ofNullable(trial.machines().get(disk[0]))
                  .map(guest -> guest.counted().disks().get(disk[1]))
                  .map(bytes::applyAsDouble)
                  .orElse(0.0);
          assertThat(seen)
              .as("%s in %s", backend.getKey(), trial.trial().slug())
              .isCloseTo(moved, within(SHARE * moved + SLACK_BYTES));
        }
        assertThat(served).isPositive();
        double disks = dom0.ownDisks().stream().mapToDouble(bytes).sum();
        assertThat(served).isLessThanOrEqualTo((1 + SHARE) * disks + SLACK_BYTES);
      }
    }
    Map<String, Double> sums = new HashMap<>();
    study
        .at("/traffic")
        .forEach(
            part ->
                sums.merge(
                    part.at("/name").asText(), part.at("/bytes/mean").asDouble(), Double::sum));
    assertThat(sums).hasSize(2);
    assertThat(sums.values()).allSatisfy(sum -> assertThat(sum).isCloseTo(100, within(0.1)));
  }

  @Test
  void noMoreRequestsAreInFlightThanThereAreClients() {
    for (TrialResult trial : run.results()) {
      LoadResult load = trial.load().orElseThrow();
      assertThat(load.throughput() * load.meanMillis() / 1000)
          .isBetween(0.5 * trial.trial().users(), 1.05 * trial.trial().users());
    }
  }
}
