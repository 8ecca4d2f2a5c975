package io.slicewise.cli;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Stop;
import io.slicewise.json.Json;
import io.slicewise.sweep.HostApply;
import io.slicewise.sweep.JournalEvent.RunEnded;
import io.slicewise.sweep.JournalEvent.RunStarted;
import io.slicewise.sweep.Precision;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.sweep.RunRecord;
import io.slicewise.sweep.RunState;
import io.slicewise.units.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slicewise status [DIR]}: how a run stands, from its journal alone. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Tells how a run stands, without touching the host.")
final class StatusCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;
  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  /**
   * What is told; the same facts as text and as JSON.
   *
   * @param finished trials that gave a result, whether it counts or not
   * @param valid those of them of which an attempt counted when it was made
   * @param appliedFrom the run a profile of which was applied here; such a directory has no trials
   */
  record Status(
      String run,
      String host,
      boolean embeddedLab,
      String state,
      int trials,
      int finished,
      int valid,
      int failed,
      Optional<String> precise,
      Optional<String> appliedFrom,
      List<String> changedDomains,
      String next) {}

  @Override
  public Integer call() {
    RunDirectory run = choice.run();
    Status status = status(run);
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(Json.text(status));
    } else {
      print(status, out);
    }
    out.flush();
    return ExitCode.OK.code();
  }

  private static void print(Status status, PrintWriter out) {
    boolean applied = status.appliedFrom().isPresent();
    out.println((applied ? "applied   " : "run       ") + status.run());
    status.appliedFrom().ifPresent(run -> out.println("from      " + run));
    out.println("host      " + status.host());
    out.println("state     " + status.state());
    if (!applied) {
      out.println(
          String.format(
              Locale.ROOT,
              "trials    %d of %d finished%s, %d failed",
              status.finished(),
              status.trials(),
              status.valid() < status.finished()
                  ? " (" + (status.finished() - status.valid()) + " of them not valid)"
                  : "",
              status.failed()));
    }
    status.precise().ifPresent(words -> out.println("precise   " + words));
    String whose = applied ? "profile" : "run";
    out.println(
        "host has  "
            + (status.changedDomains().isEmpty()
                ? "nothing left of this "
                    + whose
                    + (status.embeddedLab() ? ": an embedded lab" : "")
                : "settings of this "
                    + whose
                    + " on "
                    + String.join(", ", status.changedDomains())));
    out.println("next      " + status.next());
  }

  private static Status status(RunDirectory run) {
    Optional<Path> from = HostApply.origin(run.root());
    return from.isPresent() ? applied(run, from.get()) : measured(run);
  }

  /** A profile that was set for good: nothing is measured, and the way back is what counts. */
  private static Status applied(RunDirectory run, Path from) {
    RunRecord record = run.record();
    boolean left = !record.touched().isEmpty();
    String state =
        record.last().map(RunEnded::sentence).orElse("killed: its process ended without a word");
    return new Status(
        run.root().toString(),
        record.lastStart().map(RunStarted::host).orElse("never reached"),
        false,
        left || record.last().isEmpty() ? state : "undone: what was found is put back",
        0,
        0,
        0,
        0,
        Optional.empty(),
        Optional.of(from.toString()),
        List.copyOf(record.touched()),
        left ? "slicewise restore " + run.root() + " undoes it" : "nothing");
  }

  private static Status measured(RunDirectory run) {
    RunRecord record = run.record();
    Experiment experiment = ExperimentFiles.read(run.experimentFile());
    boolean alive = run.isWorkedOn();
    boolean lab = experiment.lab().isPresent();
    int blocks = Math.max(experiment.repetitions(), record.blocks());
    int trials = Plan.of(experiment, blocks).size();
    String state =
        record.state() == RunState.RUNNING && !alive
            ? "killed: its process ended without a word"
            : record.last().map(RunEnded::sentence).orElse(record.state().words());
    return new Status(
        run.root().toString(),
        record.lastStart().map(RunStarted::host).orElse("never reached"),
        lab,
        state,
        trials,
        record.finished().size(),
        record.valid().size(),
        record.failed().size(),
        experiment.stop().map(stop -> precise(run, experiment, blocks, stop)),
        Optional.empty(),
        lab && !alive ? List.of() : List.copyOf(record.touched()),
        next(run, record, alive, lab));
  }

  private static String precise(RunDirectory run, Experiment experiment, int blocks, Stop stop) {
    return Precision.of(experiment, run.results()).words()
        + "; "
        + blocks
        + " blocks so far, at most "
        + stop.trials();
  }

  private static String next(RunDirectory run, RunRecord record, boolean alive, boolean lab) {
    if (alive) {
      return "wait, or Ctrl-C it where it runs";
    }
    boolean restore = !lab && record.state() == RunState.DONE && !record.touched().isEmpty();
    return NextStep.after(restore ? RunState.NOT_RESTORED : record.state(), run);
  }
}
