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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise demo}: a look at the embedded lab, and one setting tried there. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Looks at the embedded lab, and tries there what the look proposes. About a minute. Needs no"
            + " Xen. With --long, switchback sessions of three profiles (experiments/demo.yaml) and a"
            + " search for the best weights (experiments/demo-tune.yaml), in at most five minutes. With"
            + " --traffic, a live study of a site's own visitors (experiments/demo-traffic.yaml).")
public final class DemoCommand implements Callable<Integer> {
  private static final List<String> LOOK = List.of("--lab", "--for", "8s");
  private static final List<String> TRY =
      List.of("--lab", "web: weight 1024", "--window", "1s", "--at-most", "40s", "--yes");

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Where to create the run directory (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Option(
      names = "--long",
      description = "Compare three profiles in sessions, and search for the best weights.")
  private boolean whole;

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
  public Integer call() throws Exception {
    return whole || traffic ? measured() : lookedAndTried();
  }

  private int lookedAndTried() throws Exception {
    if (!output.json()) {
      called(new LookCommand(), output.quiet() ? quietly(LOOK) : LOOK);
      spec.commandLine().getOut().println();
    }
    List<String> words = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    words.remove(spec.name());
    words.addAll(TRY);
    return called(new TryCommand(), words);
  }

  private static List<String> quietly(List<String> words) {
    return Stream.concat(words.stream(), Stream.of("-q")).toList();
  }

  /** Runs another command, whose output is this one's. */
  private int called(Callable<Integer> command, List<String> words) throws Exception {
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(spec.commandLine().getOut())
        .setErr(spec.commandLine().getErr())
        .parseArgs(words.toArray(String[]::new));
    return command.call();
  }

  private int measured() {
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

  private static Experiment read(String name) {
    Path file = Path.of(System.getProperty("slicewise.home", "."), "experiments", name);
    if (!Files.exists(file)) {
      throw SlicewiseException.input(
          file + " is missing",
          "start Slicewise with its launcher, ./slicewise, which sets the installation directory");
    }
    return EmbeddedHost.read(file);
  }
}
