package io.slicewise.cli.commands;

import io.slicewise.cli.options.StudyOptions;
import io.slicewise.report.ProfileTables;
import io.slicewise.run.LoadedRun;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise study profiles}: which profile is best for which workload. */
@Command(
    name = "profiles",
    mixinStandardHelpOptions = true,
    description = {
      "Shows which profile is best for which workload, from runs of several workloads.",
      "Each run answers for itself; nothing is compared across runs. Changes nothing."
    })
public final class ProfilesCommand implements Callable<Integer> {
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
