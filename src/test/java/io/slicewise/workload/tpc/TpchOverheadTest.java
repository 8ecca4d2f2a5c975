package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.evidence.study.OverheadRuns;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.TimeBreakdown;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.guest.LabDatabase;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.sweep.LocalSweep;
import io.slicewise.sweep.Sweep;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The overhead study of TPC-H, at scale factor 0.1 unless told otherwise, on a real PostgreSQL and
 * this machine's own kernel. Two starts of the server with other settings stand in for the bare
 * machine and the guest: only the counters are real, the slowdown says nothing about Xen.
 */
@Tag("nightly")
@KeepsTheMachineBusy
@ResourceLock(TpchAnswersTest.MEMORY)
class TpchOverheadTest {
  private static final Path ROOM =
      Path.of(System.getProperty("slicewise.home"), "target", "tpch-overhead");

  /** {@code -Dslicewise.tpch.scale=1} measures as much as the publication. */
  private static final String SCALE = System.getProperty("slicewise.tpch.scale", "0.1");

  private static final List<String> QUERIES = List.of("q01", "q04", "q06", "q12", "q14", "q19");

  private static final String EXPERIMENT =
      """
      name: %s
      host: {local: true, hypervisor: none}
      domains: {main: [base]}
      profiles: [as-found]
      workload:
        name: tpch
        scale: %s
        keep-data: true
        each: query
        queries: %s
        measure: work
        within: 10m
        passes: 5
        instrument: statements
        database: '%s'
        database-user: '%s'
        database-password-file: '%s'
      users: 1
      repetitions: 2
      cool-down: 0s
      limits:
        {errors: 0.5%%, generator-cpu: 100%%, other-work: 100%%, generator-lateness: 60s, generator-gc: 100%%, littles-law: 100%%, repeat-invalid: 0}
      """;

  private static RunDirectory boot(String name, String sharedBuffers) throws IOException {
    try (LabDatabase server =
        LabDatabase.start(ROOM.resolve(name), new LabDatabase.Size(20, sharedBuffers))) {
      FreshDatabase.letReport(server);
      Database database = server.create("tpch");
      Map<String, Object> options = FreshDatabase.options(database);
      Path file =
          Files.writeString(
              ROOM.resolve(name + ".yaml"),
              EXPERIMENT.formatted(
                  name,
                  SCALE,
                  QUERIES,
                  options.get("database"),
                  options.get("database-user"),
                  options.get("database-password-file")));
      Sweep sweep =
          LocalSweep.of(ExperimentFiles.read(file))
              .with(new SweepOptions(true, Duration.ofSeconds(10)))
              .begin(ROOM.resolve("results"));
      sweep.execute();
      return sweep.run();
    }
  }

  @Test
  @ResourceLock("/var/run/slicewise.lock")
  void twoStartsOfAServerFillEveryTableWithRealCounters() throws IOException {
    assumeThat(Path.of("/sys/hypervisor/type")).doesNotExist();
    FileUtils.deleteQuietly(ROOM.toFile());
    Files.createDirectories(ROOM);
    List<RunDirectory> boots = List.of(boot("large", "512MB"), boot("small", "32MB"));

    assertThatThrownBy(() -> OverheadRuns.of(loaded(boots), false, true))
        .hasMessageContaining("PostgreSQL shared_buffers 512MB / 32MB");
    OverheadRuns runs = OverheadRuns.of(loaded(boots), true, true);
    OverheadStudy study = OverheadStudy.of(runs.data(), Optional.empty());

    assertThat(study.slowdowns().get(0).cases())
        .hasSameSizeAs(QUERIES)
        .allSatisfy(row -> assertThat(row.change().percent()).isFinite());
    assertThat(study.times().get(0).cases())
        .hasSize(2 * QUERIES.size())
        .allSatisfy(
            row -> {
              assertThat(row.user()).isPositive();
              assertThat(row.sys()).isNotNegative();
              assertThat(row.total()).isPositive();
              assertThat(row.cpuWait()).isNotNegative();
            });
    assertThat(study.times().get(0).cases().stream().mapToDouble(TimeBreakdown.Row::user).sum())
        .isPositive();
    assertThat(study.faults().get(0).cases())
        .hasSameSizeAs(QUERIES)
        .allSatisfy(row -> assertThat(row.xen()).isPositive());
    assertThat(study.disks().get(0).cases())
        .hasSameSizeAs(QUERIES)
        .allSatisfy(row -> assertThat(row.reads().needed()).isNotNegative());
    assertThat(runs.notes())
        .contains("accepted difference, base / guest: PostgreSQL shared_buffers 512MB / 32MB");
  }

  private static List<LoadedRun> loaded(List<RunDirectory> runs) {
    return runs.stream().map(RunDirectory::load).toList();
  }
}
