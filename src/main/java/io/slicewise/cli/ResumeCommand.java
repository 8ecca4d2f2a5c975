package io.slicewise.cli;

import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.sweep.Origin;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
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
final class ResumeCommand implements Callable<Integer> {
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
