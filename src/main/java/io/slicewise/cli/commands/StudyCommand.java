package io.slicewise.cli.commands;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.PageOptions;
import io.slicewise.cli.options.StudyOptions;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.published.PublishedNumber;
import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.study.Cells;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.InterferenceRow;
import io.slicewise.evidence.study.InterferenceTables;
import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.evidence.study.OverheadRuns;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.PageFaults.LatencyCost;
import io.slicewise.evidence.study.StudyData;
import io.slicewise.experiment.StudyKind;
import io.slicewise.report.StudyPage;
import io.slicewise.report.study.NeighbourTables;
import io.slicewise.report.study.OverheadTables;
import io.slicewise.report.study.ProfileTables;
import io.slicewise.report.study.StudyReport;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
      StudyCommand.ProfilesCommand.class
    })
public final class StudyCommand implements Runnable {
  private CommandSpec spec;

  /** A kind of study with a command of its own below this one. */
  public interface OwnCommand {
    /** Returns the command, which has its name. */
    Callable<Integer> command();
  }

  @Spec
  void knows(CommandSpec own) {
    spec = own;
    StudyKind.all().stream()
        .filter(OwnCommand.class::isInstance)
        .map(kind -> new CommandLine(((OwnCommand) kind).command()))
        .forEach(command -> own.addSubcommand(command.getCommandName(), command));
  }

  @Override
  public void run() {
    String studies = String.join(", ", spec.subcommands().keySet());
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing study: " + studies.replaceFirst(", (\\w+)$", " or $1"));
  }

  /**
   * Prints a study in the requested format, and writes its page as asked.
   *
   * @param runs behind it; empty of published tables
   */
  public static int print(
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
}
