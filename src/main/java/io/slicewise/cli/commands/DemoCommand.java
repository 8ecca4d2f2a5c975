package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.BusyMachine;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.experiment.Experiment;
import io.slicewise.sweep.guard.SweepOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        "Compares three profiles in switchback sessions on the embedded lab"
            + " (experiments/demo.yaml), then looks for the best weights of two guests"
            + " (experiments/demo-tune.yaml). At most five minutes. Needs no Xen. With --traffic, a"
            + " live study of a site's own visitors instead (experiments/demo-traffic.yaml).")
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Where to create the run directory (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Option(
      names = "--traffic",
      description =
          "Study a site whose visitors come by themselves: pairs of windows in an order by coins, read"
              + " from its access log. Two to four minutes.")
  private boolean traffic;

  @Mixin private BusyMachine busy;
  @Mixin private OutputOptions output;
  @Mixin private Verbosity verbosity;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    return new RunConsole(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            output,
            verbosity,
            busy.patient(SweepOptions.DEFAULT))
        .beginAll(
            (traffic ? List.of("demo-traffic.yaml") : List.of("demo.yaml", "demo-tune.yaml"))
                .stream().map(name -> busy.judged(read(name))).toList(),
            results);
  }

  /** Returns an experiment that belongs to the installation. */
  static Experiment read(String name) {
    Path file = Path.of(System.getProperty("slicewise.home", "."), "experiments", name);
    if (!Files.exists(file)) {
      throw SlicewiseException.input(
          file + " is missing",
          "start Slicewise with its launcher, ./slicewise, which sets the installation directory");
    }
    return EmbeddedHost.read(file);
  }
}
