package io.slicewise.report.page;

import io.slicewise.evidence.study.MadeTrials;
import io.slicewise.experiment.load.Load;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A run of the interference study whose neighbours cost what a test knows. */
public final class StudyRuns {
  private static final String EXPERIMENT =
      """
      name: interference
      host: {address: dom0.example, user: root}
      domains: {main: [web], other: [db]}
      profiles: [as-found]
      workload:
        name: tpcb
        database: "jdbc:postgresql://web/bench"
        others:
          - {name: db, database: "jdbc:postgresql://db/bench"}
          - {name: db2, database: "jdbc:postgresql://db2/bench"}
        interference: [0, 1, 2]
      users: 4
      repetitions: 6
      """;

  private static final Map<String, Double> CPU =
      Map.of("user", 10.0, "system", 5.0, "idle", 12.0, "iowait", 2.4, "steal", 0.6);

  private StudyRuns() {}

  /** A sweep of three weights at two loads, with errors and a control. */
  public static RunDirectory swept(Path directory, String name) {
    return SyntheticRun.write(
        directory,
        Sweeps.grid(name, "50, 300", 3, new int[] {256, 512, 1024}, new int[] {0}),
        20,
        2_000,
        List.of("home"));
  }

  /** Each neighbour halves the guest's reads and moves as much as it did alone. */
  public static RunDirectory interference(Path directory) {
    RecordedRun recorded = RecordedRun.begin(directory, EXPERIMENT);
    Random random = new Random(2014);
    for (int block = 1; block <= 6; block++) {
      for (int neighbours = 0; neighbours <= 2; neighbours++) {
        double slower = (1 + neighbours) * Math.exp(0.04 * random.nextGaussian());
        recorded.trial(
            MadeTrials.trial(
                3 * block + neighbours - 2,
                block,
                "as-found",
                Load.beside(neighbours, 4),
                400 / slower * Math.exp(0.02 * random.nextGaussian()),
                Map.of(),
                100,
                machines(12_000 / slower, 6 * slower, neighbours)));
      }
    }
    return recorded.end();
  }

  private static Map<String, MachineCounters> machines(double reads, double wait, int neighbours) {
    double others = 6_000.0 * neighbours;
    return Map.of(
        "web",
        MadeTrials.machine(
            Tier.GUEST, CPU, Map.of(), Map.of("xvda", MadeTrials.disk(reads, wait, 16)), Map.of()),
        "Domain-0",
        MadeTrials.machine(
            Tier.DOM0,
            CPU,
            Map.of(),
            Map.of("sda", MadeTrials.disk(reads + others + 50, 0.95 * wait, 16)),
            Map.of(
                "web/xvda", MadeTrials.disk(reads, wait, 16),
                "db/xvda", MadeTrials.disk(neighbours > 0 ? 6_000 : 0, wait, 16),
                "db2/xvda", MadeTrials.disk(neighbours > 1 ? 6_000 : 0, wait, 16))));
  }
}
