package io.slicewise.study.edge;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.commands.Interrupts;
import io.slicewise.cli.commands.RunConsole;
import io.slicewise.cli.commands.StudyCommand;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.lab.VirtualRun;
import io.slicewise.cli.options.BusyMachine;
import io.slicewise.cli.options.NewRunOptions;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.PageOptions;
import io.slicewise.cli.options.PlanCodeOption;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.options.StudyOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.report.Reports;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise study consolidation}: how many guests fit. */
@Command(
    name = "consolidation",
    mixinStandardHelpOptions = true,
    description = {
      "Finds how many guests fit with each profile: runs an experiment with 'order: edge', or reads"
          + " a run of one.",
      "docs/consolidation.md describes the search and its models."
    })
final class ConsolidationCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE|DIR",
      description = "The experiment file to measure, or a run directory to read.")
  private Path place;

  @Option(
      names = "--simulate",
      description = "Measure in virtual time, as 'simulate' does; touches no host.")
  private boolean simulated;

  @Mixin private NewRunOptions created;
  @Mixin private RunOptions run;
  @Mixin private PlanCodeOption code;
  @Mixin private BusyMachine busy;
  @Mixin private StudyOptions options;
  @Mixin private PageOptions page;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (!options.tables().isEmpty()) {
      throw SlicewiseException.input(
          "the consolidation study is of a run, not of published tables",
          "name an experiment file or a run directory");
    }
    if (!Files.isRegularFile(place) || place.toString().endsWith(".zip")) {
      return print(RunDirectory.open(place));
    }
    Experiment experiment = busy.judged(EmbeddedHost.read(place));
    if (experiment.order().study(Edge.class).isEmpty()) {
      throw SlicewiseException.input(
          "%s has 'order: %s', which measures everything".formatted(place, experiment.order()),
          "set 'order: edge' to search, or 'run' it and name its run directory here");
    }
    return simulated ? simulate(experiment) : measure(experiment);
  }

  private int simulate(Experiment experiment) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("simulating trials until the edge is found");
    StopRequest stop = new StopRequest(Clock.systemUTC());
    try (Interrupts interrupts =
        new Interrupts(stop, wish -> err.println("stopping; the trials so far are kept"))) {
      VirtualRun done = VirtualRun.of(experiment, created.results(), stop, result -> {});
      Reports.write(done.run());
      int printed = print(done.run());
      int ended = ExitCode.of(done.outcome().state()).code();
      return ended == ExitCode.OK.code() ? printed : ended;
    }
  }

  private int measure(Experiment experiment) {
    code.require(experiment, spec.commandLine().getErr());
    RunConsole console =
        new RunConsole(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            new OutputOptions(),
            new Verbosity(),
            busy.patient(run.sweep()));
    int ended = console.begin(experiment, created.results());
    if (console.ended().isEmpty()) {
      return ended;
    }
    spec.commandLine().getOut().println();
    int printed = print(console.ended().get());
    return ended == ExitCode.OK.code() ? printed : ended;
  }

  private int print(RunDirectory directory) {
    LoadedRun loaded = Damages.loaded(spec.commandLine().getErr(), directory);
    ConsolidationStudy study = ConsolidationStudy.of(loaded.experiment(), loaded.results());
    StudyCommand.print(
        spec, options, page, List.of(loaded), study, ConsolidationTables.of(loaded.name(), study));
    boolean known = study.levels().stream().anyMatch(row -> row.worst().estimate().n() > 0);
    return (known ? ExitCode.OK : ExitCode.NO_VALID_DATA).code();
  }
}
