package io.slicewise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Stop;
import io.slicewise.json.Json;
import io.slicewise.sweep.Precision;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.sweep.RunRecord;
import io.slicewise.sweep.RunState;
import io.slicewise.units.ExitCode;
import java.io.PrintWriter;
import java.util.List;
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

  /** What is told; the same facts as text and as JSON. */
  record Status(
      String run,
      String host,
      boolean embeddedLab,
      String state,
      int trials,
      int finished,
      int failed,
      Optional<String> precise,
      List<String> changedDomains,
      String next) {}

  @Override
  public Integer call() throws JsonProcessingException {
    RunDirectory run = choice.run();
    Status status = status(run);
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(status));
    } else {
      out.println("run       " + status.run());
      out.println("host      " + status.host());
      out.println("state     " + status.state());
      out.println(
          "trials    "
              + status.finished()
              + " of "
              + status.trials()
              + " finished, "
              + status.failed()
              + " failed");
      status.precise().ifPresent(words -> out.println("precise   " + words));
      out.println(
          "host has  "
              + (status.changedDomains().isEmpty()
                  ? "nothing left of this run" + (status.embeddedLab() ? ": an embedded lab" : "")
                  : "settings of this run on " + String.join(", ", status.changedDomains())));
      out.println("next      " + status.next());
    }
    out.flush();
    return ExitCode.OK.code();
  }

  private static Status status(RunDirectory run) {
    RunRecord record = run.record();
    Experiment experiment = ExperimentFiles.read(run.experimentFile());
    boolean alive = run.isWorkedOn();
    boolean lab = experiment.lab().isPresent();
    int blocks = Math.max(experiment.repetitions(), record.blocks());
    int trials = Plan.of(experiment, blocks).size();
    String state =
        record.state() == RunState.RUNNING && !alive
            ? "killed: its process ended without a word"
            : record.last().map(end -> end.sentence()).orElse(record.state().words());
    return new Status(
        run.root().toString(),
        record.lastStart().map(start -> start.host()).orElse("never reached"),
        lab,
        state,
        trials,
        record.finished().size(),
        record.failed().size(),
        experiment.stop().map(stop -> precise(run, experiment, blocks, stop)),
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
