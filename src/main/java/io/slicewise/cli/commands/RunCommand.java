package io.slicewise.cli.commands;

import io.slicewise.base.units.Plural;
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
import io.slicewise.experiment.Order;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
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
      converter = PlanCommand.OrderConverter.class,
      description = "Order of the trials (default: as in the file).")
  private Order order;

  @Option(
      names = "--continue",
      description =
          "Go on for another night with the newest study of pairs of this experiment in the results"
              + " directory, if it is not decided: its evidence adds up. Its bounds may have changed,"
              + " its question not. Without such a study, begin one. For timers.")
  private boolean goOn;

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
    Optional<RunDirectory> study = goOn ? study(written) : Optional.empty();
    Optional<String> over = study.flatMap(newest -> isOver(newest.load(), written));
    RunConsole console =
        new RunConsole(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            output,
            verbosity,
            busy.patient(run.sweep()));
    if (over.isPresent()) {
      return console.startNothing(study.get(), over.get());
    }
    code.require(written, spec.commandLine().getErr());
    return study.isPresent()
        ? console.resume(study.get(), written)
        : console.begin(order == null ? written : written.inOrder(order), results);
  }

  /** Returns the newest run of a study of pairs, to go on with; empty if there is none. */
  private Optional<RunDirectory> study(Experiment written) {
    if (written.pairs().isEmpty()) {
      throw SlicewiseException.input(
          file + " has no pairs, so no evidence would add up over nights",
          "leave --continue out, or use 'design: {kind: pairs}'");
    }
    return RunDirectory.below(results).stream()
        .filter(root -> root.getFileName().toString().startsWith(written.name() + "-"))
        .sorted(Comparator.reverseOrder())
        .map(RunDirectory::open)
        .filter(newest -> isStudy(newest, written))
        .findFirst();
  }

  private static boolean isStudy(RunDirectory run, Experiment written) {
    Experiment begun = ExperimentFiles.read(run.experimentFile());
    return begun.name().equals(written.name())
        && begun
            .pairs()
            .map(PairsDesign::observe)
            .equals(written.pairs().map(PairsDesign::observe));
  }

  /** Returns why a study does not go on; empty if it does. */
  private static Optional<String> isOver(LoadedRun run, Experiment written) {
    PairsDesign design = written.pairs().orElseThrow();
    int nights = JournalEvent.nights(run.events()).size();
    boolean cutShort = run.record().stopped().isEmpty();
    String name = run.directory().root().toString();
    if (design.most().nights().filter(most -> nights >= most).isPresent() && !cutShort) {
      return Optional.of(
          "%s has had its %s (at-most: nights)".formatted(name, Plural.of(nights, "night")));
    }
    PairedStudy study =
        PairedStudy.of(run.experiment(), run.results().stream().map(Measured::of).toList());
    return study.in().isEmpty() && !design.observe()
        ? Optional.of("%s is over; %s".formatted(name, study.ended()))
        : Optional.empty();
  }
}
