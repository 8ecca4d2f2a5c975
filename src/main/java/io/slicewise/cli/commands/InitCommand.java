package io.slicewise.cli.commands;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code slicewise init}: writes a commented experiment for a workload, a custom plan or a study.
 */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description =
        "Writes a commented experiment for a workload or a JMeter plan, with all its options; or"
            + " for a study: overhead, interference.")
public final class InitCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PLAN.jmx|WORKLOAD|STUDY",
      description = "A JMeter plan, or the name of a workload or a study.")
  private String subject;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "File to create; it must not exist yet (default: standard output).")
  private Optional<Path> output = Optional.empty();

  @Override
  public Integer call() {
    Path besides = output.map(Path::toAbsolutePath).map(Path::getParent).orElse(Path.of(""));
    String text = StudyDraft.of(subject).orElseGet(() -> draft(besides).text());
    PrintWriter out = spec.commandLine().getOut();
    if (output.isEmpty()) {
      out.print(text);
    } else {
      write(output.get(), text);
      out.println("wrote " + output.get());
      out.println("next  enter your host and guests, then: slicewise plan " + output.get());
    }
    out.flush();
    return ExitCode.OK.code();
  }

  private ExperimentDraft draft(Path besides) {
    if (subject.endsWith(".jmx")) {
      return ExperimentDraft.ofPlan(Path.of(subject), besides);
    }
    WorkloadType type =
        Workloads.type(subject)
            .orElseThrow(
                () ->
                    new SlicewiseException(
                        ErrorKind.INPUT,
                        "'"
                            + subject
                            + "' is neither a plan (a .jmx file) nor a workload nor a study",
                        "workloads are %s; studies are overhead, interference"
                            .formatted(String.join(", ", Workloads.names()))));
    if (type.plan() == WorkloadType.Need.MUST) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          "workload '" + subject + "' needs a JMeter plan",
          "name the file: slicewise init YOURS.jmx");
    }
    return ExperimentDraft.ofWorkload(type);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException taken) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          file + " already exists and was not changed",
          "name another file with -o",
          taken);
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          file + " cannot be written: " + FileFault.reason(fault),
          "name another place",
          fault);
    }
  }
}
