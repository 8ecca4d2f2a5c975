package io.slicewise.cli.commands;

import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.BusyMachine;
import io.slicewise.cli.options.NewRunOptions;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.PlanCodeOption;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.plan.TunePreflight;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.RunDirectory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise tune FILE}: looks for the best settings. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description =
        "Looks for the best settings within a budget: simulates candidates, races them on the host,"
            + " confirms the choice in separate trials, and restores the host.")
public final class TuneCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The experiment file.")
  private Path file;

  @Option(
      names = "--calibrate",
      paramLabel = "DIR",
      description =
          "Measured run from which to derive the CPU time per request (default: the first trials"
              + " of this run, at the settings found).")
  private Path calibrate;

  @Option(
      names = "--continue",
      description =
          "Spend another budget on the newest run of this experiment in the results directory, if"
              + " it has no answer yet; without such a run, begin one. For timers.")
  private boolean goOn;

  @Mixin private NewRunOptions place;
  @Mixin private RunOptions run;
  @Mixin private PlanCodeOption code;
  @Mixin private BusyMachine busy;
  @Mixin private OutputOptions output;
  @Mixin private Verbosity verbosity;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Experiment experiment = busy.judged(EmbeddedHost.read(file));
    Optional<RunDirectory> unanswered =
        goOn ? TunePreflight.unanswered(experiment, place.results()) : Optional.empty();
    RunConsole console =
        new RunConsole(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                output,
                verbosity,
                busy.patient(run.sweep()))
            .calibratedBy(Optional.ofNullable(calibrate).map(RunDirectory::open));
    if (unanswered.isPresent()) {
      Experiment begun = ExperimentFiles.read(unanswered.get().experimentFile());
      code.requireCode(begun, spec.commandLine().getErr());
      return console.resume(unanswered.get(), begun);
    }
    code.require(experiment, spec.commandLine().getErr());
    TunePreflight.check(experiment, file);
    return console.begin(experiment, place.results());
  }
}
