package io.slicewise.cli.commands;

import io.slicewise.cli.commands.StudyCommand.StudyTables;
import io.slicewise.cli.options.PageOptions;
import io.slicewise.cli.options.StudyOptions;
import io.slicewise.evidence.study.Cells;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.OverheadRuns;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.PageFaults.LatencyCost;
import io.slicewise.evidence.study.StudyData;
import io.slicewise.report.study.OverheadTables;
import io.slicewise.run.LoadedRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code slicewise study overhead}: a guest compared with the same machine without Xen. */
@Command(
    name = "overhead",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how much longer each query takes in a guest than on the same machine without Xen, and"
          + " where the time goes.",
      "docs/studies/overhead.md describes the design. Changes nothing."
    })
public final class OverheadCommand implements Callable<Integer> {
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
                    .anyMatch(one -> one.side().equals(Tiers.BASE) || one.side().equals(Tiers.XEN)),
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
