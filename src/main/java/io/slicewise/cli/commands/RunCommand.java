package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.BusyMachine;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.PlanCodeOption;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.plan.PlanCommand;
import io.slicewise.experiment.Experiment;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise run FILE}: runs a sweep. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Runs an experiment, restores the host and prints the results.")
public final class RunCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The experiment file.")
  private Path file;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Where to create run directories (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Option(
      names = "--order",
      paramLabel = "blocks|as-written|loads-as-written",
      converter = PlanCommand.Order.class,
      description = "Order of the trials (default: as in the file).")
  private Experiment.Order order;

  @Mixin private RunOptions run;
  @Mixin private PlanCodeOption code;
  @Mixin private BusyMachine busy;
  @Mixin private OutputOptions output;
  @Mixin private Verbosity verbosity;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Experiment written = busy.judged(EmbeddedHost.read(file));
    if (written.tuning().isPresent()) {
      throw SlicewiseException.input(
          file + " is a tune, which has no fixed plan to run",
          "start it with 'slicewise tune %s'".formatted(file));
    }
    code.require(written, spec.commandLine().getErr());
    return new RunConsole(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            output,
            verbosity,
            busy.patient(run.sweep()))
        .begin(order == null ? written : written.inOrder(order), results);
  }
}
