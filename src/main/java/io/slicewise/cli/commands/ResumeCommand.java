package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.BusyMachine;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.PlanCodeOption;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.RunState;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slicewise resume [DIR]}: runs the remaining trials of a run. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description = {
      "Continues a run after an interrupt, a kill, a lost host or a reboot.",
      "Keeps finished trials and runs all others."
    })
public final class ResumeCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;
  @Mixin private RunOptions run;
  @Mixin private PlanCodeOption code;
  @Mixin private BusyMachine busy;
  @Mixin private OutputOptions output;
  @Mixin private Verbosity verbosity;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    LoadedRun loaded = choice.run();
    RunDirectory directory = loaded.directory();
    if (loaded.origin().kind() == Origin.Kind.IMPORTED) {
      throw SlicewiseException.input(
          directory.root() + " was imported and cannot be resumed",
          "import again if there are more files");
    }
    if (loaded.origin().isSimulated()) {
      throw SlicewiseException.input(
          directory.root() + " was simulated and cannot be resumed on a host",
          "simulate the experiment again; the same seed gives the same trials");
    }
    RunConsole console =
        new RunConsole(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            output,
            verbosity,
            busy.patient(run.sweep()));
    if (isFinished(loaded)) {
      return console.startNothing(
          directory, "nothing to resume: %s is finished".formatted(directory.root()));
    }
    Experiment experiment = ExperimentFiles.read(directory.experimentFile());
    code.requireCode(experiment, spec.commandLine().getErr());
    return console.resume(directory, experiment);
  }

  /** Returns whether the run ended as done, undamaged, with nothing left to run or to restore. */
  private static boolean isFinished(LoadedRun run) {
    RunRecord record = run.record();
    boolean done =
        record.last().filter(ended -> ended.state() == RunState.DONE).isPresent()
            && record.touched().isEmpty();
    if (!done || !run.damages().isEmpty()) {
      return false;
    }
    return run.experiment().tuning().isPresent()
        || record.stopped().isPresent()
        || new Attempts(run.results()).trials() >= MeasuredRun.planned(run);
  }
}
