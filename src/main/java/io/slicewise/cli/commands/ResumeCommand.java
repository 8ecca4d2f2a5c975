package io.slicewise.cli.commands;

import io.slicewise.base.units.ErrorKind;
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
  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    RunDirectory directory = choice.run();
    if (directory.origin().kind() == Origin.Kind.IMPORTED) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          directory.root() + " was imported and cannot be resumed",
          "import again if there are more files");
    }
    if (directory.origin().isSimulated()) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          directory.root() + " was simulated and cannot be resumed on a host",
          "simulate the experiment again; the same seed gives the same trials");
    }
    return new RunConsole(
            spec.commandLine().getOut(), spec.commandLine().getErr(), output, run.sweep())
        .resume(directory, ExperimentFiles.read(directory.experimentFile()));
  }
}
