package io.slicewise.cli.commands;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.lab.LabOptions;
import io.slicewise.sweep.SweepOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise demo}: runs the demonstration experiment on the embedded lab. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Runs experiments/demo.yaml on the embedded lab: credit and sEDF profiles, two user loads, "
            + "three repetitions, about two minutes. Needs no Xen.")
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "results",
      description = "Where to create the run directory (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Path file = Path.of(System.getProperty("slicewise.home", "."), "experiments", "demo.yaml");
    if (!Files.exists(file)) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          file + " is missing",
          "start Slicewise with its launcher, ./slicewise, which sets the installation directory");
    }
    return new RunConsole(
            spec.commandLine().getOut(), spec.commandLine().getErr(), output, SweepOptions.DEFAULT)
        .begin(ExperimentFiles.read(file, LabOptions.keys()), results);
  }
}
