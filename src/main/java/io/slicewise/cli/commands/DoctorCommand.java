package io.slicewise.cli.commands;

import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.FindingLines;
import io.slicewise.sweep.preflight.CheckResult;
import io.slicewise.sweep.preflight.Preflight;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slicewise doctor FILE}: reports what would stop or spoil a run, and how to fix it. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Checks everything a run of the experiment needs. Changes nothing.",
      "Exits with 0 if the run can start, and with 3 if something blocks it."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The experiment file.")
  private Path file;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Where run directories would be created (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    try (EmbeddedHost host = EmbeddedHost.forExperiment(EmbeddedHost.read(file))) {
      List<CheckResult> findings = Preflight.examine(host.experiment(), results);
      output.print(findings, () -> FindingLines.of(findings));
      return (Preflight.blocks(findings) ? ExitCode.PREFLIGHT : ExitCode.OK).code();
    }
  }
}
