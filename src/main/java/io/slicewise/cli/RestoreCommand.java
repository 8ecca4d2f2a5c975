package io.slicewise.cli;

import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.sweep.HostRestore;
import io.slicewise.sweep.ParametersText;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.units.ExitCode;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise restore DIR|--host ADDRESS}: what a killed run left behind is put back. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = "Puts a host's settings back as a killed run found them, and reads them back.")
final class RestoreCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Every run below --results that left this host changed, newest first.")
  private String host;

  @Mixin private RunOptions options;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<RunDirectory> runs = host == null ? List.of(choice.run()) : left();
    if (runs.isEmpty()) {
      out.println("no run below " + choice.results() + " left " + host + " changed");
    }
    boolean complete = true;
    for (RunDirectory run : runs) {
      HostRestore.Receipt receipt =
          HostRestore.restore(
              run, ExperimentFiles.read(run.experimentFile()), options.sweep(), Clock.systemUTC());
      print(receipt, out);
      complete &= receipt.complaints().isEmpty();
    }
    out.flush();
    return complete ? ExitCode.OK.code() : ExitCode.HOST_NOT_RESTORED.code();
  }

  /** The oldest run found the host as it was, so its settings must be the last to be put back. */
  private List<RunDirectory> left() {
    List<RunDirectory> runs = new ArrayList<>(HostRestore.unrestored(choice.results(), host));
    Collections.reverse(runs);
    return runs;
  }

  private static void print(HostRestore.Receipt receipt, PrintWriter out) {
    out.println(receipt.run().root() + ":");
    if (receipt.restored().isEmpty() && receipt.complaints().isEmpty()) {
      out.println("  nothing to put back: the run left the host as it found it");
    }
    receipt
        .restored()
        .forEach(
            (domain, parameters) ->
                out.println("  " + domain + "  " + ParametersText.of(parameters) + "  read back"));
    receipt
        .complaints()
        .forEach(
            (domain, complaint) -> out.println("  " + domain + "  NOT RESTORED: " + complaint));
  }
}
