package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.Screening;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The run directory of a tune in memory. */
public final class RecordedTune {
  private RecordedTune() {}

  /**
   * Runs a tune and writes its run.
   *
   * @param most trials to run at most
   * @param findings of each trial
   */
  public static RunDirectory write(
      Path directory,
      String experiment,
      int most,
      ToDoubleFunction<PlannedTrial> p95,
      Function<PlannedTrial, List<Finding>> findings)
      throws IOException {
    Files.createDirectories(directory);
    Experiment read =
        ExperimentFiles.read(Files.writeString(directory.resolve("tune.yaml"), experiment));
    TuneBench bench =
        new TuneBench(read, profiles -> Screening.Simulated.none("no model"), 1, p95).run(most);
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), experiment);
    bench.planned().values().forEach(run::planned);
    bench
        .measured()
        .forEach(
            one ->
                run.found(
                    one.trial(),
                    one.value("throughput"),
                    one.value("p95"),
                    findings.apply(bench.planned().get(one.trial().slug()))));
    RunDirectory written = run.end();
    written.writeWhole(written.root().resolve(CandidatePool.FILE), bench.pool());
    return written;
  }
}
