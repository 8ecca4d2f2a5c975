package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.StudyOptions;
import io.slicewise.evidence.study.InterferenceRow;
import io.slicewise.evidence.study.InterferenceTables;
import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.report.NeighbourTables;
import io.slicewise.report.StudyPage;
import io.slicewise.run.LoadedRun;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise study interference}: whether slow disks are the neighbours' fault. */
@Command(
    name = "interference",
    mixinStandardHelpOptions = true,
    description = {
      "Shows whether a guest's reads are slow because of its neighbours or of its own load.",
      "docs/studies/interference.md describes the design. Changes nothing."
    })
public final class InterferenceCommand implements Callable<Integer> {
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
