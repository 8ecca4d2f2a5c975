package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.BusyMachine;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.PlanCodeOption;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.NextStep;
import io.slicewise.cli.screens.RunEnd;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.RunState;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    if (isFinished(loaded)) {
      return report(directory);
    }
    Experiment experiment = ExperimentFiles.read(directory.experimentFile());
    code.require(experiment, spec.commandLine().getErr());
    return new RunConsole(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            output,
            verbosity,
            busy.patient(run.sweep()))
        .resume(directory, busy.judged(experiment));
  }

  private int report(RunDirectory run) {
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      RunOutcome outcome =
          new RunOutcome(
              RunState.DONE, Set.of(), false, Map.of(), "already finished; nothing was started");
      out.println(RunEnd.of(run, outcome, Optional.empty(), ExitCode.OK).json());
    } else {
      out.println("nothing to resume: " + run.root() + " is finished; nothing was started");
      out.println("next  " + NextStep.after(RunState.DONE, run));
    }
    return ExitCode.OK.code();
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
