package io.slicewise.cli.simulate;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.commands.Interrupts;
import io.slicewise.cli.commands.RunConsole;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.lab.SimulationPremises;
import io.slicewise.cli.options.NewRunOptions;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.plan.PlanCommand;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.lab.simulate.Premises;
import io.slicewise.lab.simulate.Simulation;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise simulate FILE}: runs an experiment in virtual time. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description =
        "Runs an experiment in virtual time, within seconds, on a model of Xen's schedulers."
            + " Touches no host. All output is marked as simulated.")
public final class SimulateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The experiment file.")
  private Path file;

  @Option(
      names = "--calibrate",
      paramLabel = "DIR",
      description =
          "Measured run from which to derive the CPU time per request and the host (default: from"
              + " the file, else the lab, else the 2010 study).")
  private Path calibrate;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Seed of the order and of all random numbers (default: as in the file).")
  private Long seed;

  @Option(
      names = "--order",
      paramLabel = "blocks|as-written|loads-as-written",
      converter = PlanCommand.Order.class,
      description =
          "Order of the trials (default: as in the file). Does not affect simulated results.")
  private Experiment.Order order;

  @Mixin private NewRunOptions place;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Number of trials simulated at once (default: number of cores).")
  private int jobs = Runtime.getRuntime().availableProcessors();

  @Mixin private OutputOptions output;
  @Mixin private Verbosity verbosity;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (jobs < 1) {
      throw SlicewiseException.input("--jobs " + jobs + " is below 1", "");
    }
    PrintWriter err = spec.commandLine().getErr();
    Experiment experiment = experiment();
    Optional<LoadedRun> calibration =
        Optional.ofNullable(calibrate).map(RunDirectory::open).map(run -> Damages.loaded(err, run));
    SimulationPremises premises = new SimulationPremises(experiment, calibration);
    Premises all = premises.all();
    Clock clock = Clock.systemUTC();
    Simulation simulation = Simulation.of(experiment, all, clock);
    SimulationScreen screen =
        new SimulationScreen(err, output.quiet(), Terminal.isInteractive(), clock);
    screen.begin(experiment, premises.calibration(), Plan.of(experiment).size());
    StopRequest stop = new StopRequest(clock);
    try (Interrupts interrupts = new Interrupts(stop, screen::stopping)) {
      Simulation.Done done = simulation.run(place.results(), jobs, stop, screen::finished);
      screen.end();
      return new RunConsole(
              spec.commandLine().getOut(), err, output, verbosity, SweepOptions.DEFAULT)
          .finish(done.run(), done.outcome());
    }
  }

  private Experiment experiment() {
    Experiment written = EmbeddedHost.read(file);
    Experiment ordered = order == null ? written : written.inOrder(order);
    return seed == null ? ordered : ordered.seeded(seed);
  }
}
