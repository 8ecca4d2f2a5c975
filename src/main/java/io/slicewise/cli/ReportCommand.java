package io.slicewise.cli;

import io.slicewise.report.Reports;
import io.slicewise.stats.IntervalMethod;
import io.slicewise.units.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise report [DIR]}: tables and files anew from what a run has so far. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Writes summary.json, tables and report.html anew and prints the tables.")
final class ReportCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;

  @Option(
      names = "--interval",
      paramLabel = "student|log|published",
      defaultValue = "student",
      description = {
        "How intervals are made (default: ${DEFAULT-VALUE}); log is for skewed values,",
        "published rebuilds the tables of the 2010 study."
      })
  private IntervalMethod interval;

  @Option(
      names = "--shares",
      paramLabel = "own|published",
      defaultValue = "own",
      description = {
        "Shares of a domain's own vCPUs (default), or as the 2010 study told them: of all pCPUs,",
        "whatever a domain's vCPUs."
      })
  private Reports.Shares shares;

  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Reports.Written written = Reports.write(choice.run(), interval, shares);
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(written.json());
    } else {
      written.text().forEach(out::println);
      out.println();
      out.println("report  " + written.html());
    }
    out.flush();
    return written.anyValid() ? ExitCode.OK.code() : ExitCode.NO_VALID_DATA.code();
  }
}
