package io.slicewise.cli.draft;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Suggestion;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.load.access.LineFormats;
import io.slicewise.workload.Traffic;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
            + " for a study: overhead, interference. It runs on the embedded lab at once, or on the"
            + " host that --host names.")
public final class InitCommand implements Callable<Integer> {
  private static final String PLAN = ".jmx";

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

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Write it for this host instead of the embedded lab.")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "Of traffic: the access log, on its machine.")
  private Optional<String> log = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "Of traffic: nginx, apache, haproxy, caddy, json or pattern (default: nginx).")
  private Optional<String> format = Optional.empty();

  @Option(
      names = "--hypervisor",
      paramLabel = "xen|libvirt|none",
      defaultValue = "xen",
      description =
          "The hypervisor of the host or of the lab (default: ${DEFAULT-VALUE}); none is the bare"
              + " machine of the study overhead.")
  private DraftPlace.Virtual hypervisor;

  @Override
  public Integer call() {
    checkLog();
    Optional<Path> besides = output.map(Path::toAbsolutePath).map(Path::getParent);
    String text =
        StudyDraft.of(subject, address(), hypervisor).orElseGet(() -> draft(besides).text());
    PrintWriter out = spec.commandLine().getOut();
    if (output.isEmpty()) {
      out.print(text);
    } else {
      write(output.get(), text);
      out.println("wrote " + output.get());
      out.println(
          isOnLab()
              ? "next  slicewise run %s runs it on the embedded lab".formatted(output.get())
              : "next  enter your host and guests%s, then: slicewise %s %s"
                  .formatted(
                      isLive() && !hasLog() ? ", and what is counted" : "",
                      isLive() ? "doctor" : "plan",
                      output.get()));
      advice().ifPresent(lines -> out.println("add to the server's configuration:\n" + lines));
    }
    return ExitCode.OK.code();
  }

  private boolean isLive() {
    return Workloads.type(subject).filter(WorkloadType::live).isPresent();
  }

  private boolean hasLog() {
    return subject.equals(Traffic.NAME);
  }

  private void checkLog() {
    if (!hasLog() && (log.isPresent() || format.isPresent())) {
      throw SlicewiseException.input(
          "--log and --format belong to the workload traffic, not to " + subject,
          "leave them out, or: slicewise init traffic --log FILE");
    }
    if (format.isPresent() && !LineFormats.NAMES.contains(format.get())) {
      throw SlicewiseException.input(
          "'%s' is not a format of access logs".formatted(format.get()),
          "use one of " + String.join(", ", LineFormats.NAMES));
    }
  }

  private String formatName() {
    return format.orElse(LineFormats.NAMES.get(0));
  }

  private String logFile() {
    return log.orElse("/var/log/nginx/slicewise.log");
  }

  /** Returns what the server's configuration needs so that its log has durations. */
  private Optional<String> advice() {
    return hasLog() ? LineFormats.advice(formatName(), logFile()) : Optional.empty();
  }

  /** Returns the address of the host; empty for the lab, which an installation may lack. */
  private Optional<String> address() {
    boolean lab = host.isEmpty() && !isLive() && EmbeddedHost.isInstalled();
    return lab ? Optional.empty() : Optional.of(host.orElse("dom0"));
  }

  private boolean isOnLab() {
    return address().isEmpty();
  }

  private DraftPlace place(WorkloadType type) {
    if (type.live()) {
      return DraftPlace.live(
          address().orElseThrow(),
          hypervisor,
          hasLog()
              ? Optional.of("{path: %s, format: %s}".formatted(quoted(), formatName()))
              : Optional.empty());
    }
    return address()
        .map(address -> DraftPlace.host(address, hypervisor))
        .orElseGet(() -> DraftPlace.lab(type, hypervisor));
  }

  private ExperimentDraft draft(Optional<Path> besides) {
    if (hypervisor == DraftPlace.Virtual.NONE) {
      throw SlicewiseException.input(
          "a machine without a hypervisor has no settings to compare",
          "leave --hypervisor out, or write the study of one: slicewise init overhead"
              + " --hypervisor none");
    }
    if (subject.endsWith(PLAN)) {
      return ExperimentDraft.ofPlan(
          Path.of(subject), besides, place(Workloads.type("plan").orElseThrow()));
    }
    WorkloadType type =
        Workloads.type(subject)
            .orElseThrow(
                () ->
                    SlicewiseException.input(
                        "'%s' is neither a plan (a .jmx file) nor a workload nor a study%s"
                            .formatted(subject, Suggestion.of(subject, known())),
                        "workloads are %s; studies are %s"
                            .formatted(
                                String.join(", ", Workloads.names()),
                                String.join(", ", StudyDraft.NAMES))));
    if (type.plan() == WorkloadType.Need.MUST) {
      throw SlicewiseException.input(
          "workload '" + subject + "' needs a JMeter plan",
          "name the file: slicewise init YOURS.jmx");
    }
    return ExperimentDraft.ofWorkload(type, place(type));
  }

  /** Returns the log's path as a value of YAML. */
  private String quoted() {
    return "\"" + logFile().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private static List<String> known() {
    return Stream.concat(Workloads.names().stream(), StudyDraft.NAMES.stream()).toList();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException taken) {
      throw SlicewiseException.input(
          file + " already exists and was not changed", "name another file with -o", taken);
    } catch (IOException fault) {
      throw SlicewiseException.input(
          file + " cannot be written: " + FileFault.reason(fault), "name another place", fault);
    }
  }
}
