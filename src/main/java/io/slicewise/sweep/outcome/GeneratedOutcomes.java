package io.slicewise.sweep.outcome;

import io.slicewise.base.units.Window;
import io.slicewise.load.generator.FinishedLoad;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.run.TrialLoad;
import io.slicewise.run.TrialSamples;
import io.slicewise.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The samples of a load that the generator makes. */
record GeneratedOutcomes(RunningLoad load, Workload workload) implements Outcomes {
  /** The samples of a window and of the wash-out before it, in the window's directory. */
  private static final String SAMPLES = "samples.jtl.gz";

  @Override
  public void begin(Duration length, Path directory) {
    load.beginWindow();
  }

  @Override
  public Ended cut(Path directory) {
    return new Samples(load.cut(directory.resolve(SAMPLES)), workload);
  }

  @Override
  public Ended stop() {
    return new Samples(load.stop(), workload);
  }

  @Override
  public void close() {
    load.close();
  }

  private record Samples(FinishedLoad done, Workload workload) implements Ended {
    @Override
    public TrialLoad in(Window window) {
      return TrialSamples.load(done, window, workload);
    }

    @Override
    public Optional<Window> span() {
      return TrialSamples.span(done);
    }
  }
}
