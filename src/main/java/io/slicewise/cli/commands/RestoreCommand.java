package io.slicewise.cli.commands;

import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ErrorPrinter;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.profile.ParametersText;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.SwitchTrace;
import io.slicewise.ssh.SshAddress;
import io.slicewise.sweep.HostApply;
import io.slicewise.sweep.HostRestore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code slicewise restore DIR|--host ADDRESS}: restores the settings that a killed run changed.
 */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = "Restores the settings that a killed run found on its host, and verifies them.")
public final class RestoreCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Restore every run in --results that left this host changed, newest first.")
  private String host;

  @Option(
      names = "--trust-damaged",
      description =
          "Restore from the intact lines of a damaged journal. Without this option, nothing is"
              + " restored if lines are missing or altered.")
  private boolean trustDamaged;

  @Option(
      names = "--force",
      description =
          "Restore also values that someone else changed after the run did. Without this option,"
              + " they are reported and left.")
  private boolean force;

  @Mixin private RunOptions options;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    ExitCode code = host == null ? restoreRun(choice.run().directory(), out) : restoreHost(out);
    return code.code();
  }

  /** Undoes the last profile applied from the run, and what the run itself left changed. */
  private ExitCode restoreRun(RunDirectory run, PrintWriter out) {
    List<RunDirectory> applied = HostApply.inForce(run.root());
    if (applied.isEmpty()) {
      return restore(run);
    }
    int last = applied.size() - 1;
    List<RunDirectory> newestFirst =
        leftChanged(run) ? List.of(applied.get(last), run) : List.of(applied.get(last));
    ExitCode code = restoreAll(newestFirst);
    for (RunDirectory earlier : applied.subList(0, last)) {
      out.println("still in force, applied earlier; undo: slicewise restore " + earlier.root());
    }
    return code;
  }

  private ExitCode restoreHost(PrintWriter out) {
    LeftRuns left = LeftRuns.below(choice.results(), host, spec.commandLine().getErr());
    List<RunDirectory> runs = left.newestFirst();
    if (runs.isEmpty() && left.allRead()) {
      out.println("no run in %s left %s changed".formatted(choice.results(), host));
    }
    ExitCode code = restoreAll(runs);
    return left.allRead() ? code : ExitCode.HOST_NOT_RESTORED;
  }

  /** Restores all runs, even if some of them fail; returns the worst exit code. */
  private ExitCode restoreAll(List<RunDirectory> runs) {
    ExitCode worst = ExitCode.OK;
    for (RunDirectory run : runs) {
      ExitCode code = restore(run);
      worst = worst == ExitCode.OK || code == ExitCode.HOST_NOT_RESTORED ? code : worst;
    }
    return worst;
  }

  private ExitCode restore(RunDirectory run) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(run.root() + ":");
    try {
      if (!run.origin().workedOnHost()) {
        out.println("  this run was " + run.origin().kind().word() + "; no host was touched");
        return ExitCode.OK;
      }
      Experiment experiment = ExperimentFiles.read(run.experimentFile());
      if (experiment.lab().isPresent()) {
        out.println("  the embedded lab of this run is gone; nothing is left to restore");
        return ExitCode.OK;
      }
      HostRestore.Receipt receipt =
          HostRestore.restore(
              run, experiment, options.sweep(trustDamaged, force), Clock.systemUTC());
      print(receipt, out);
      return receipt.complaints().isEmpty() ? ExitCode.OK : ExitCode.HOST_NOT_RESTORED;
    } catch (HintedException fault) {
      ExitCode code = ErrorPrinter.print(spec.commandLine().getErr(), fault);
      return code != ExitCode.LOCKED && leftChanged(run) ? ExitCode.HOST_NOT_RESTORED : code;
    }
  }

  /** Returns whether the run left its host changed, also if its journal cannot be read. */
  private static boolean leftChanged(RunDirectory run) {
    try {
      LoadedRun loaded = run.load();
      return loaded.settingsInDoubt() || !loaded.record().touched().isEmpty();
    } catch (SlicewiseException unreadable) {
      return true;
    }
  }

  private static void print(HostRestore.Receipt receipt, PrintWriter out) {
    if (receipt.restored().isEmpty()
        && receipt.complaints().isEmpty()
        && receipt.gone().isEmpty()
        && receipt.foreign().isEmpty()) {
      boolean fired = SwitchTrace.lastFired(receipt.run().events()).isPresent();
      out.println(
          "  nothing to restore: "
              + (fired ? "the host has restored itself" : "the run left the host unchanged"));
    }
    receipt.notices().forEach(notice -> out.println("  " + notice));
    receipt
        .restored()
        .forEach(
            (domain, parameters) ->
                out.println("  " + domain + "  " + ParametersText.of(parameters) + "  read back"));
    receipt
        .gone()
        .forEach((domain, sentence) -> out.println("  " + domain + "  gone: " + sentence));
    receipt
        .foreign()
        .values()
        .forEach(sentence -> out.println("  left: " + sentence + "; --force overwrites it"));
    receipt
        .complaints()
        .forEach(
            (domain, complaint) -> out.println("  " + domain + "  NOT RESTORED: " + complaint));
  }

  /** The runs in a directory that left a host changed. */
  private static final class LeftRuns {
    private final PrintWriter err;
    private final List<Left> found = new ArrayList<>();
    private boolean allRead = true;

    private LeftRuns(PrintWriter err) {
      this.err = err;
    }

    private record Left(RunDirectory run, Instant begun) {}

    /** Reads every run in the directory; reports those that cannot be read and continues. */
    static LeftRuns below(Path results, String address, PrintWriter err) {
      LeftRuns runs = new LeftRuns(err);
      SshAddress where = SshAddress.typed(address);
      RunDirectory.below(results).stream()
          .flatMap(run -> Stream.concat(Stream.of(run), HostApply.below(run).stream()))
          .sorted()
          .forEach(run -> runs.look(run, where));
      return runs;
    }

    private void look(Path root, SshAddress where) {
      try {
        RunDirectory run = RunDirectory.open(root);
        LoadedRun loaded = run.load();
        boolean here =
            loaded
                .record()
                .lastStart()
                .filter(start -> SshAddress.of(start.host()).leadsWhere(where))
                .isPresent();
        boolean doubt = loaded.settingsInDoubt();
        if (doubt && loaded.events().isEmpty()) {
          Damages.report(err, loaded);
          allRead = false;
        } else if (here && (doubt || !loaded.record().touched().isEmpty())) {
          found.add(new Left(run, loaded.events().get(0).at()));
        }
      } catch (SlicewiseException unreadable) {
        ErrorPrinter.print(err, unreadable);
        allRead = false;
      }
    }

    /**
     * Returns the runs, newest first: the oldest run found the original settings, so it must be
     * restored last.
     */
    List<RunDirectory> newestFirst() {
      return found.stream()
          .sorted(Comparator.comparing(Left::begun).reversed())
          .map(Left::run)
          .toList();
    }

    /** Returns whether every run could be read; if not, other changes may remain on the host. */
    boolean allRead() {
      return allRead;
    }
  }
}
