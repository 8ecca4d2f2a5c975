package io.slicewise.cli.lab;

import io.slicewise.experiment.Experiment;
import io.slicewise.lab.simulate.Simulation;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.StopRequest;
import io.slicewise.run.result.TrialResult;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/** A run in virtual time that another command asks for. */
public record VirtualRun(RunDirectory run, RunOutcome outcome) {
  /** Runs an experiment with the demands that its file or its lab has. */
  public static VirtualRun of(
      Experiment experiment, Path results, StopRequest stop, Consumer<TrialResult> listener) {
    Simulation.Done done =
        Simulation.of(
                experiment,
                new SimulationPremises(experiment, Optional.empty()).all(),
                Clock.systemUTC())
            .run(results, Runtime.getRuntime().availableProcessors(), stop, listener);
    return new VirtualRun(done.run(), done.outcome());
  }
}
