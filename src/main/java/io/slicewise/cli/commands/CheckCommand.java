package io.slicewise.cli.commands;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.screens.CheckScreen;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.evidence.facts.RunCheck;
import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRepair;
import io.slicewise.run.validity.Violation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise check}: checks runs and published tables for impossible results. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Lists impossible results: shares that do not add up, rates that break Little's law, caps"
          + " that were exceeded, idle guests under load, overloaded generators, cells with missing"
          + " runs, intervals with the wrong n, damaged run directories. Changes nothing without"
          + " --repair."
    })
public final class CheckCommand implements Callable<Integer> {
  private static final String COLUMNS =
      "A table needs the columns metric, unit, value, or those of a study; see docs/check.md.";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "DIR|FILE",
      description =
          "Run directories (measured or imported), or CSV tables of a published study and"
              + " directories of such tables, which are also compared with each other."
              + " docs/check.md describes the columns.")
  private List<Path> paths;

  @Option(
      names = "--repair",
      description =
          "Rebuild the journals of damaged run directories from their intact lines and the trial"
              + " records. The damaged journals are kept in set-aside/.")
  private boolean repair;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    if (repair) {
      paths.stream().filter(RunDirectory::isOne).forEach(this::repair);
    }
    List<CheckScreen.Checked> checked = checked();
    output.print(checked, () -> CheckScreen.lines(checked));
    boolean sound =
        checked.stream()
            .flatMap(one -> one.violations().stream())
            .noneMatch(one -> one.violation().serious());
    return (sound ? ExitCode.OK : ExitCode.RULES_BROKEN).code();
  }

  private void repair(Path path) {
    PrintWriter err = spec.commandLine().getErr();
    Optional<RunRepair.Repair> done = RunRepair.repair(RunDirectory.open(path), Clock.systemUTC());
    if (done.isEmpty()) {
      err.println(path + ": nothing to repair");
      return;
    }
    RunRepair.Repair repair = done.get();
    err.println(
        "%s: journal rebuilt; %d trials recovered from their records, %d lost"
            .formatted(path, repair.recovered().size(), repair.lost().size()));
    repair.recovered().forEach(slug -> err.println("  recovered: " + slug));
    repair.lost().forEach(slug -> err.println("  lost: " + slug));
    repair.kept().ifPresent(kept -> err.println("  the damaged journal is kept in " + kept));
  }

  /** Checks each run alone and all tables together, since tables may report the same numbers. */
  private List<CheckScreen.Checked> checked() {
    List<Path> files =
        paths.stream()
            .filter(path -> !RunDirectory.isOne(path))
            .flatMap(path -> files(path).stream())
            .distinct()
            .toList();
    List<PublishedTables.Table> tables = PublishedTables.check(files);
    refuseNothing(tables);
    List<CheckScreen.Checked> checked = new ArrayList<>();
    int number = 0;
    for (Path run : paths.stream().filter(RunDirectory::isOne).toList()) {
      List<Violation> violations = RunCheck.violations(RunDirectory.open(run).load());
      checked.add(CheckScreen.Checked.of(run, violations, number));
      number += violations.size();
    }
    for (PublishedTables.Table table : tables) {
      checked.add(CheckScreen.Checked.of(table, number));
      number += table.violations().size();
    }
    return checked;
  }

  private static List<Path> files(Path path) {
    List<Path> files = Files.isDirectory(path) ? csvFiles(path) : List.of(path);
    if (files.isEmpty()) {
      throw SlicewiseException.input(
          path + " is neither a run directory nor a directory with CSV tables", COLUMNS);
    }
    return files;
  }

  private void refuseNothing(List<PublishedTables.Table> tables) {
    boolean any =
        paths.stream().anyMatch(RunDirectory::isOne)
            || tables.stream().anyMatch(table -> table.nothing().isEmpty());
    if (!any) {
      throw SlicewiseException.input(
          tables.stream()
              .map(table -> table.file() + " cannot be checked: " + table.nothing())
              .collect(Collectors.joining("\n")),
          COLUMNS);
    }
  }

  private static List<Path> csvFiles(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
    } catch (IOException e) {
      throw SlicewiseException.input(
          directory + " cannot be listed: " + FileFault.reason(e),
          "Check its permissions, or name its tables one by one.",
          e);
    }
  }
}
