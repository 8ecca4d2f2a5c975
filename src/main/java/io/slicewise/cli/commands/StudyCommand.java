package io.slicewise.cli.commands;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
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
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.published.PublishedNumber;
import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.study.Cells;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.ConsolidationStudy;
import io.slicewise.evidence.study.InterferenceRow;
import io.slicewise.evidence.study.InterferenceTables;
import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.evidence.study.OverheadRuns;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.PageFaults.LatencyCost;
import io.slicewise.evidence.study.StudyData;
import io.slicewise.experiment.Experiment;
import io.slicewise.report.Reports;
import io.slicewise.report.StudyPage;
import io.slicewise.report.study.ConsolidationTables;
import io.slicewise.report.study.NeighbourTables;
import io.slicewise.report.study.OverheadTables;
import io.slicewise.report.study.ProfileTables;
import io.slicewise.report.study.StudyReport;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code slicewise study}: asks a question of runs or of published tables. */
@Command(
    name = "study",
    mixinStandardHelpOptions = true,
    description = {
      "Answers a study's question from runs, or from published tables of the same form.",
      "Changes nothing."
    },
    synopsisSubcommandLabel = "STUDY",
    subcommands = {
      StudyCommand.OverheadCommand.class,
      StudyCommand.InterferenceCommand.class,
      StudyCommand.ProfilesCommand.class,
      StudyCommand.ConsolidationCommand.class
    })
public final class StudyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing study: overhead, interference, profiles or consolidation");
  }

  /**
   * Prints a study in the requested format, and writes its page as asked.
   *
   * @param runs behind it; empty of published tables
   */
  static int print(
      CommandSpec spec,
      StudyOptions options,
      PageOptions page,
      List<LoadedRun> runs,
      Object study,
      StudyReport whole) {
    page.write(
        () ->
            StudyPage.html(
                whole,
                runs.stream().map(RunEvidence::of).map(RunEvidence::measured).toList(),
                options.tables()));
    PrintWriter out = spec.commandLine().getOut();
    if (options.figure().isPresent()) {
      out.print(whole.svg(options.figure().get()));
      return ExitCode.OK.code();
    }
    StudyReport report = whole.only(options.table());
    switch (options.format()) {
      case TEXT -> report.text(Terminal.tableWidth()).forEach(out::println);
      case JSON -> out.println(Json.text(study));
      case CSV -> out.print(report.csv());
      case MARKDOWN -> out.print(report.markdown());
      case LATEX -> out.print(report.latex());
    }
    return ExitCode.OK.code();
  }

  /** Loads runs and reports their damage. */
  static List<LoadedRun> loaded(CommandSpec spec, List<Path> runs) {
    PrintWriter err = spec.commandLine().getErr();
    return runs.stream().map(RunDirectory::open).map(run -> Damages.loaded(err, run)).toList();
  }

  /** Refuses published tables, and no run. */
  static void refuseTables(List<Path> runs, StudyOptions options) {
    if (runs.isEmpty() || !options.tables().isEmpty()) {
      throw SlicewiseException.input(
          "this study needs run directories", "name the runs of your workloads");
    }
  }

  /** Refuses both runs and tables, and neither. */
  static void refuseBoth(List<Path> runs, StudyOptions options) {
    if (runs.isEmpty() == options.tables().isEmpty()) {
      throw SlicewiseException.input(
          runs.isEmpty()
              ? "a study needs run directories or published tables"
              : "runs and published tables cannot be combined",
          "name run directories, or use --tables DIR");
    }
  }

  /** {@code slicewise study interference}: whether slow disks are the neighbours' fault. */
  @Command(
      name = "interference",
      mixinStandardHelpOptions = true,
      description = {
        "Shows whether a guest's reads are slow because of its neighbours or of its own load.",
        "docs/studies/interference.md describes the design. Changes nothing."
      })
  public static final class InterferenceCommand implements Callable<Integer> {
    @Parameters(
        paramLabel = "DIR",
        arity = "0..1",
        description = "The run directory; its blocks are the repetitions.")
    private List<Path> runs = List.of();

    @Mixin private StudyOptions options;

    @Mixin private PageOptions page;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      StudyCommand.refuseBoth(runs, options);
      if (runs.size() > 1) {
        throw SlicewiseException.input(
            "the interference study is of one run, whose blocks are its repetitions",
            "name one run directory");
      }
      return options.tables().isEmpty() ? ofRun() : ofTables();
    }

    private int ofRun() {
      LoadedRun run = StudyCommand.loaded(spec, runs).get(0);
      NeighbourStudy study = StudyPage.interference(run);
      return StudyCommand.print(
          spec, options, page, List.of(run), study, NeighbourTables.of(run.name(), study));
    }

    private int ofTables() {
      StudyTables tables =
          StudyTables.read(
              options.tables(),
              InterferenceTables::belongs,
              "a number of a guest's layer, such as dom1, and of dom0");
      List<InterferenceRow> rows =
          tables.files().values().stream()
              .flatMap(numbers -> InterferenceTables.of(numbers).stream())
              .toList();
      return StudyCommand.print(
          spec,
          options,
          page,
          List.of(),
          rows,
          NeighbourTables.of(rows, tables.checked(), tables.files().size()));
    }
  }

  /** {@code slicewise study profiles}: which profile is best for which workload. */
  @Command(
      name = "profiles",
      mixinStandardHelpOptions = true,
      description = {
        "Shows which profile is best for which workload, from runs of several workloads.",
        "Each run answers for itself; nothing is compared across runs. Changes nothing."
      })
  public static final class ProfilesCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", arity = "0..*", description = "Run directories.")
    private List<Path> runs = List.of();

    @Mixin private StudyOptions options;

    @Mixin private PageOptions page;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      StudyCommand.refuseTables(runs, options);
      List<LoadedRun> loaded = StudyCommand.loaded(spec, runs);
      List<ProfileTables.Answer> answers =
          loaded.stream().flatMap(run -> ProfileTables.answers(run).stream()).toList();
      return StudyCommand.print(spec, options, page, loaded, answers, ProfileTables.of(answers));
    }
  }

  /** The published tables that belong to a study. */
  record StudyTables(Map<Path, List<PublishedNumber>> files) {
    private static final String COLUMNS =
        "A table needs the columns metric, unit, value and system or layer; leave the value of a"
            + " number that was not printed empty. See docs/check.md.";

    /**
     * Reads tables, and keeps the files that belong to the study.
     *
     * @param paths CSV tables, or directories of them
     * @param wanted whether the numbers of a file belong to it
     * @param needed what such a file has, for the message
     * @throws SlicewiseException with all faults, if a file cannot be read, or none belongs to it
     */
    static StudyTables read(
        List<Path> paths, Predicate<List<PublishedNumber>> wanted, String needed) {
      Map<Path, List<PublishedNumber>> kept = new LinkedHashMap<>();
      List<String> faults = new ArrayList<>();
      for (Path file : paths.stream().flatMap(path -> csvFiles(path, faults)).distinct().toList()) {
        try {
          List<PublishedNumber> numbers = PublishedNumber.read(List.of(file));
          if (wanted.test(numbers)) {
            kept.put(file, numbers);
          }
        } catch (SlicewiseException fault) {
          faults.add(fault.getMessage());
        }
      }
      if (faults.isEmpty() && kept.isEmpty()) {
        faults.add("no table has " + needed);
      }
      if (!faults.isEmpty()) {
        throw SlicewiseException.input(String.join("\n", faults), COLUMNS);
      }
      return new StudyTables(kept);
    }

    private static Stream<Path> csvFiles(Path path, List<String> faults) {
      if (!Files.isDirectory(path)) {
        return Stream.of(path);
      }
      try (Stream<Path> files = Files.list(path)) {
        return files.filter(file -> file.toString().endsWith(".csv")).sorted().toList().stream();
      } catch (IOException e) {
        faults.add(path + " cannot be listed: " + FileFault.reason(e));
        return Stream.empty();
      }
    }

    /** Returns the numbers of all files. */
    List<PublishedNumber> numbers() {
      return files.values().stream().flatMap(List::stream).toList();
    }

    /** Returns the tables with their derived cells checked. */
    List<PublishedTables.Table> checked() {
      return PublishedTables.check(List.copyOf(files.keySet()));
    }
  }

  /** {@code slicewise study overhead}: a guest compared with the same machine without Xen. */
  @Command(
      name = "overhead",
      mixinStandardHelpOptions = true,
      description = {
        "Shows how much longer each query takes in a guest than on the same machine without Xen, and"
            + " where the time goes.",
        "docs/studies/overhead.md describes the design. Changes nothing."
      })
  static final class OverheadCommand implements Callable<Integer> {
    @Parameters(
        paramLabel = "DIR",
        arity = "0..*",
        description = "Run directories: boots of the bare machine and of Xen.")
    private List<Path> runs = List.of();

    @Option(
        names = "--lat-pagefault",
        paramLabel = "BASE,XEN",
        converter = LatencyText.class,
        description =
            "The cost of a page fault by lmbench's lat_pagefault on both systems, in microseconds, as"
                + " in 1.67,3.5.")
    private Optional<LatencyCost> tool = Optional.empty();

    @Option(
        names = "--accept-differences",
        description = "Compare the systems even if they differ in CPUs, memory or workload.")
    private boolean accept;

    @Option(
        names = "--same-system",
        description =
            "Compare boots of one system with each other (A/A): every verdict is then a false alarm.")
    private boolean alike;

    @Mixin private StudyOptions options;

    @Mixin private PageOptions page;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      StudyCommand.refuseBoth(runs, options);
      return options.tables().isEmpty() ? ofRuns() : ofTables();
    }

    private int ofRuns() {
      List<LoadedRun> loaded = StudyCommand.loaded(spec, runs);
      OverheadRuns measured = OverheadRuns.of(loaded, accept, alike);
      OverheadStudy study = OverheadStudy.of(measured.data(), tool);
      return StudyCommand.print(
          spec, options, page, loaded, study, OverheadTables.of(study, measured.notes()));
    }

    private int ofTables() {
      StudyTables tables =
          StudyTables.read(
              options.tables(),
              numbers ->
                  numbers.stream()
                      .anyMatch(
                          one -> one.side().equals(Tiers.BASE) || one.side().equals(Tiers.XEN)),
              "a number of the system base or xen");
      StudyData data = StudyData.published(Cells.published(tables.numbers()));
      OverheadStudy study = OverheadStudy.of(data, tool);
      return StudyCommand.print(
          spec,
          options,
          page,
          List.of(),
          study,
          OverheadTables.of(study, tables.checked(), tables.files().size()));
    }

    /** {@code 1.67,3.5}. */
    static final class LatencyText implements ITypeConverter<LatencyCost> {
      @Override
      public LatencyCost convert(String text) {
        String[] both = text.split(",", -1);
        try {
          if (both.length == 2) {
            double base = Double.parseDouble(both[0]);
            double xen = Double.parseDouble(both[1]);
            if (base > 0 && xen > 0 && base < Double.MAX_VALUE && xen < Double.MAX_VALUE) {
              return new LatencyCost(base / 1e6, xen / 1e6);
            }
          }
        } catch (NumberFormatException e) {
          throw new TypeConversionException(refusal(text));
        }
        throw new TypeConversionException(refusal(text));
      }

      private static String refusal(String text) {
        return "'" + text + "' is not two positive numbers of microseconds, as in 1.67,3.5";
      }
    }
  }

  /** {@code slicewise study consolidation}: how many guests fit. */
  @Command(
      name = "consolidation",
      mixinStandardHelpOptions = true,
      description = {
        "Finds how many guests fit with each profile: runs an experiment with 'order: edge', or reads"
            + " a run of one.",
        "docs/consolidation.md describes the search and its models."
      })
  static final class ConsolidationCommand implements Callable<Integer> {
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
      if (experiment.order() != Experiment.Order.EDGE) {
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
          spec,
          options,
          page,
          List.of(loaded),
          study,
          ConsolidationTables.of(loaded.name(), study));
      boolean known = study.levels().stream().anyMatch(row -> row.worst().estimate().n() > 0);
      return (known ? ExitCode.OK : ExitCode.NO_VALID_DATA).code();
    }
  }
}
