package io.slicewise.cli.commands;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.run.StopFile;
import io.slicewise.run.journal.JournalEvent.RunEnded;
import io.slicewise.run.journal.JournalEvent.RunStarted;
import io.slicewise.run.journal.RunState;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slicewise stop [DIR]}: ends a run that another process works on. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    description =
        "Ends a run now, within seconds, and waits until its process has restored the host. What was"
            + " measured is kept, and resume continues it.")
public final class StopCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long GLANCE_MILLIS = 100;
  private static final int GLANCES = 50;

  @Mixin private RunChoice choice;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    RunDirectory run = choice.run().directory();
    if (!run.isWorkedOn()) {
      throw SlicewiseException.input(
          "no process works on " + run.root(),
          "'slicewise status %s' shows its state and what to do next".formatted(run.root()));
    }
    StopFile.ask(run);
    long until = System.nanoTime() + PATIENCE.toNanos();
    for (int glance = 1; run.isWorkedOn() && System.nanoTime() < until; glance++) {
      Thread.sleep(GLANCE_MILLIS);
      if (glance % GLANCES == 0) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("waiting: " + waitsFor(run));
        err.flush();
      }
    }
    if (run.isWorkedOn()) {
      throw new SlicewiseException(
          ErrorKind.NOT_RESTORED,
          "the process that works on %s did not end within %s"
              .formatted(run.root(), DurationText.of(PATIENCE)),
          "end it with SIGTERM and look at its screen; then: slicewise restore " + run.root());
    }
    return ended(run);
  }

  /** Returns what the process that works on a run has still to do, by its journal. */
  static String waitsFor(RunDirectory run) {
    if (StopFile.isUnseen(run)) {
      return "the process that works on the run has not seen the request yet";
    }
    RunRecord record = run.record();
    if (record.state() != RunState.RUNNING) {
      return "the run has ended, and its process ends";
    }
    return record.touched().isEmpty()
        ? "no change of the host is left; the process ends its load and its observers"
        : "the process has not restored %s yet".formatted(String.join(", ", record.touched()));
  }

  private int ended(RunDirectory run) {
    PrintWriter out = spec.commandLine().getOut();
    // The end of an earlier process is followed by the beginning of a later one.
    Optional<RunEnded> end =
        run.events().stream()
            .filter(event -> event instanceof RunEnded || event instanceof RunStarted)
            .reduce((before, last) -> last)
            .filter(RunEnded.class::isInstance)
            .map(RunEnded.class::cast);
    if (end.isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.NOT_RESTORED,
          "the process that worked on %s ended without restoring its host".formatted(run.root()),
          "slicewise restore " + run.root());
    }
    out.println(run.root() + ": " + end.get().sentence());
    ExitCode code = ExitCode.of(end.get().state());
    return code == ExitCode.INTERRUPTED ? ExitCode.OK.code() : code.code();
  }
}
