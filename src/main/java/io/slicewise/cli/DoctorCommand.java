package io.slicewise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.json.Json;
import io.slicewise.preflight.Finding;
import io.slicewise.preflight.Finding.Level;
import io.slicewise.preflight.Preflight;
import io.slicewise.units.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise doctor FILE}: what would stop or spoil a run, and the way out. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Looks at everything a run of the experiment needs, and changes nothing.",
      "Exit code 0 if nothing blocks the run, 3 if something does."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final int WIDTH = 100;
  private static final String INDENT = " ".repeat(23);

  @Parameters(paramLabel = "FILE", description = "The experiment file.")
  private Path file;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "results",
      description = "Where run directories would be made (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws JsonProcessingException {
    try (EmbeddedHost host = EmbeddedHost.forExperiment(ExperimentFiles.read(file))) {
      List<Finding> findings = Preflight.examine(host.experiment(), results);
      print(findings);
      return (Preflight.blocks(findings) ? ExitCode.PREFLIGHT : ExitCode.OK).code();
    }
  }

  private void print(List<Finding> findings) throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(findings));
    } else {
      findings.forEach(finding -> print(out, finding));
      out.println(total(findings));
    }
    out.flush();
  }

  private static void print(PrintWriter out, Finding finding) {
    String head =
        String.format(Locale.ROOT, "%-9s %-12s ", word(finding.level()), finding.subject());
    out.println(head + wrapped(finding.sentence()));
    if (!finding.wayOut().isEmpty()) {
      out.println(INDENT + wrapped("-> " + finding.wayOut()));
    }
  }

  private static String word(Level level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  /** Breaks at blanks so that lines stay readable; a longer word stands alone. */
  private static String wrapped(String text) {
    StringBuilder lines = new StringBuilder();
    int column = INDENT.length();
    for (String word : text.split(" ", -1)) {
      if (column > INDENT.length() && column + 1 + word.length() > WIDTH) {
        lines.append(System.lineSeparator()).append(INDENT);
        column = INDENT.length();
      } else if (column > INDENT.length()) {
        lines.append(' ');
        column++;
      }
      lines.append(word);
      column += word.length();
    }
    return lines.toString();
  }

  private static String total(List<Finding> findings) {
    return String.format(
        Locale.ROOT,
        "%d ok, %d %s, %d blocking",
        count(findings, Level.OK),
        count(findings, Level.WARNING),
        count(findings, Level.WARNING) == 1 ? "warning" : "warnings",
        count(findings, Level.BLOCKING));
  }

  private static long count(List<Finding> findings, Level level) {
    return findings.stream().filter(finding -> finding.level() == level).count();
  }
}
