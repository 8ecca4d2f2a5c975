package io.slicewise.cli.commands;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.GuestId;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Hypervisors;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.bundle.RunBundle;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.preflight.CheckResult;
import io.slicewise.sweep.preflight.Preflight;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise record HOST}: what a host answers to reading commands, as a file to send. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description =
        "Writes what a host answers to the commands that read it, as a file to send. Changes"
            + " nothing; names of hosts, guests and users are replaced. 'slicewise lab --replay"
            + " FILE' answers as that host did.")
public final class RecordCommand implements Callable<Integer> {
  private static final String NAME = "recording";
  private static final String GUESSED =
      """
      name: recording
      host: {%s}
      domains: {main: [%s]}
      profiles: [as-found]
      workload: observe
      """;

  @Parameters(
      paramLabel = "HOST",
      description = "The host's address or alias, or an experiment file with 'host:'.")
  private String host;

  @Option(
      names = "--hypervisor",
      paramLabel = "NAME",
      description = "The host's hypervisor, such as libvirt or groups (default: found).")
  private Optional<String> hypervisor = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file (default: recording.slicewise.zip, here).")
  private File output = new File(NAME + RunBundle.SUFFIX);

  @Spec private CommandSpec spec;

  /** Also those that no experiment names: their names are replaced, too. */
  private Map<String, GuestId> guests = Map.of();

  @Override
  public Integer call() {
    try {
      Path directory = Files.createTempDirectory("slicewise-record-");
      try {
        return record(directory);
      } finally {
        FileUtils.deleteQuietly(directory.toFile());
      }
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot record: " + FileFault.reason(fault),
          "see that the directory for temporary files has space",
          fault);
    }
  }

  private int record(Path directory) throws IOException {
    Experiment experiment = experiment(directory);
    RunDirectory run = RunDirectory.begin(directory, NAME, experiment, Clock.systemUTC().instant());
    List<CheckResult> findings;
    try (Journal journal = Journal.open(run.journalFile())) {
      journal.append(
          ThisProcess.takesUpRun(Clock.systemUTC(), experiment.host().orElseThrow().address()));
      journal.append(new JournalEvent.GuestsSeen(Clock.systemUTC().instant(), guests));
      findings = Preflight.record(experiment, run);
      journal.append(
          new JournalEvent.RunEnded(
              Clock.systemUTC().instant(), RunState.DONE, "recorded; nothing was changed"));
    }
    List<CheckResult> blocking =
        findings.stream().filter(finding -> finding.level() == CheckResult.Level.BLOCKING).toList();
    for (CheckResult finding : blocking) {
      if (finding.subject().equals("host")) {
        throw new SlicewiseException(ErrorKind.NOT_READY, finding.sentence(), finding.wayOut());
      }
    }
    RunBundle.write(run, output.toPath(), false, true);
    PrintWriter out = spec.commandLine().getOut();
    out.println("recorded  " + output);
    blocking.forEach(finding -> out.println("noted     " + finding.sentence()));
    out.println("replay    slicewise lab --replay " + output);
    out.println("read it before you send it: unzip -p " + output + " '*.jsonl'");
    return ExitCode.OK.code();
  }

  private Experiment experiment(Path directory) throws IOException {
    Path file = Path.of(host);
    if (Files.isRegularFile(file)) {
      Experiment experiment = ExperimentFiles.read(file);
      HostSpec reached =
          experiment
              .host()
              .orElseThrow(
                  () ->
                      SlicewiseException.input(
                          file + " names no host",
                          "add 'host:' with its address; a lab needs no recording"));
      try {
        guests = guests(reached);
      } catch (RemoteShellException | HypervisorException unreadable) {
        // Its answers are recorded nevertheless; the check of the host gives the reason.
      }
      return experiment;
    }
    Experiment unknown = guessed(directory, List.of("guest"));
    guests = guests(unknown.host().orElseThrow());
    Optional<String> control = Hypervisors.controlDomain(Optional.empty());
    List<String> names =
        guests.keySet().stream().filter(name -> control.filter(name::equals).isEmpty()).toList();
    return names.isEmpty() ? unknown : guessed(directory, names);
  }

  private static Map<String, GuestId> guests(HostSpec spec) {
    try (RemoteShell shell = HostShells.open(spec)) {
      return HostShells.hypervisor(shell, spec).guests();
    }
  }

  private Experiment guessed(Path directory, List<String> guests) throws IOException {
    String names = guests.stream().map(RecordCommand::quoted).collect(Collectors.joining(", "));
    String where =
        (host.equals("localhost") ? "local: true" : "address: " + quoted(host))
            + hypervisor.map(name -> ", hypervisor: " + quoted(name)).orElse("");
    Path file = directory.resolve("guessed.yaml");
    Files.writeString(file, GUESSED.formatted(where, names));
    return ExperimentFiles.read(file);
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
