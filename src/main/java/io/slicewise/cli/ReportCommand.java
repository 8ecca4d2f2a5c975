package io.slicewise.cli;

import io.slicewise.report.Reports;
import io.slicewise.units.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slicewise report [DIR]}: tables and files anew from what a run has so far. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Writes summary.json, tables and report.html anew and prints the tables.")
final class ReportCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;
  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Reports.Written written = Reports.write(choice.run());
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
