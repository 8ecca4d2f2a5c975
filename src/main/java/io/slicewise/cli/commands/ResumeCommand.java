package io.slicewise.cli.commands;

import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slicewise resume [DIR]}: the trials of a run that are still to be run. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description = {
      "Goes on with a run: after an interrupt, a kill, a lost host, a reboot.",
      "Trials that finished stay; all others run (again)."
    })
public final class ResumeCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;
  @Mixin private RunOptions run;
  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    RunDirectory directory = choice.run();
    if (directory.origin().kind() == Origin.Kind.IMPORTED) {
      throw new SlicewiseException(
          ExitCode.USAGE,
          directory.root()
              + " was imported, and what was measured elsewhere cannot be gone on with",
          "import anew when more files have turned up");
    }
    if (directory.origin().isSimulated()) {
      throw new SlicewiseException(
          ExitCode.USAGE,
          directory.root() + " was simulated, and a host must not go on with it",
          "simulate the experiment anew; the same seed gives the same trials");
    }
    return new RunConsole(
            spec.commandLine().getOut(), spec.commandLine().getErr(), output, run.sweep())
        .goOn(directory, ExperimentFiles.read(directory.experimentFile()));
  }
}
