package io.slicewise.cli.simulate;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
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
import io.slicewise.cli.screens.TerminalWriter;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.Plan;
import io.slicewise.lab.simulate.Calibration;
import io.slicewise.lab.simulate.Premises;
import io.slicewise.lab.simulate.Simulation;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
      converter = PlanCommand.OrderConverter.class,
      description =
          "Order of the trials (default: as in the file). Does not affect simulated results.")
  private Order order;

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

  /** The progress of a simulation on standard error. */
  private static final class SimulationScreen {
    private static final String CLEAR_LINE = "\r\033[K";

    private final TerminalWriter err;
    private final boolean quiet;
    private final boolean live;
    private final Clock clock;
    private Duration trialTime = Duration.ZERO;
    private Instant began = Instant.EPOCH;
    private int trials;
    private int finished;

    SimulationScreen(PrintWriter err, boolean quiet, boolean live, Clock clock) {
      this.err = TerminalWriter.of(err);
      this.quiet = quiet;
      this.live = live && !quiet;
      this.clock = clock;
    }

    void begin(Experiment experiment, Optional<Calibration> calibration, int planned) {
      trials = experiment.order().searches() ? 0 : planned;
      trialTime = Plan.trialTime(experiment).minus(experiment.coolDown());
      began = clock.instant();
      calibration.ifPresent(derived -> line(derived.sentence()));
      experiment
          .stop()
          .ifPresent(stop -> line("'stop' is ignored: every cell gets exactly its repetitions"));
      String each = DurationText.spaced(trialTime);
      line(
          experiment
              .order()
              .study()
              .map(kind -> "simulating trials of %s until %s".formatted(each, kind.end()))
              .orElse("simulating " + trials + " trials of " + each));
    }

    synchronized void finished(TrialResult result) {
      finished++;
      if (live) {
        err.control(CLEAR_LINE);
        err.print("simulated  " + finished + (trials == 0 ? "" : " of " + trials) + " trials");
        err.flush();
      }
    }

    synchronized void stopping(StopRequest.Wish wish) {
      line("stopping; the trials simulated so far are kept");
    }

    void end() {
      if (live) {
        err.control(CLEAR_LINE);
      }
      double minutes = trialTime.multipliedBy(finished).toNanos() / 6e10;
      double seconds = Duration.between(began, clock.instant()).toNanos() / 1e9;
      line(
          Phrase.of(
              "simulated %s in %.1f s",
              minutes < 120
                  ? Phrase.of("%.1f minutes", minutes)
                  : Phrase.of("%.1f hours", minutes / 60),
              seconds));
    }

    private void line(String text) {
      if (!quiet) {
        err.println(text);
      }
    }
  }
}
