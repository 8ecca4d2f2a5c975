package io.slicewise.cli.commands;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.Phrase;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.NextStep;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.JournalEvent.RunEnded;
import io.slicewise.run.journal.JournalEvent.RunStarted;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.Precision;
import io.slicewise.sweep.HostApply;
import io.slicewise.sweep.guard.LeftSwitches;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise status [DIR]}: shows the progress of a run, from its journal. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Shows the progress of a run. Contacts the host only if a killed run may have left a dead"
            + " man's switch on it.")
public final class StatusCommand implements Callable<Integer> {
  private static final Duration EVERY = Duration.ofMillis(500);

  @Mixin private RunChoice choice;
  @Mixin private OutputOptions output;

  @Option(
      names = "--watch",
      description = "Show the status again after each change, until no process works on the run.")
  private boolean watch;

  @Spec private CommandSpec spec;

  /**
   * The status of a run, printed as text or as JSON.
   *
   * @param damages a sentence for each damage to the run directory
   */
  record Status(
      String run,
      String host,
      boolean embeddedLab,
      String state,
      @JsonUnwrapped Progress progress,
      @JsonUnwrapped Applied applied,
      List<String> damages,
      String next) {}

  /**
   * How far a run has come.
   *
   * @param finished trials with a result, valid or not
   * @param valid finished trials with a valid attempt
   * @param sessions of a switchback design, as a phrase
   * @param goal of a tune, or of the experiment
   */
  record Progress(
      int trials,
      int finished,
      int valid,
      int failed,
      Optional<String> sessions,
      Optional<String> goal,
      Optional<String> precise) {
    private static final Progress NONE =
        new Progress(0, 0, 0, 0, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * What was set on the run's host.
   *
   * @param appliedFrom the run whose profile was applied here; such a directory has no trials
   * @param inForce a sentence for each profile that was applied from this run and not undone
   * @param switches a sentence for each dead man's switch that acted or may still be on the host
   * @param lock how to remove the lock that a killed process may have left on the host
   */
  record Applied(
      Optional<String> appliedFrom,
      List<String> inForce,
      List<String> changedDomains,
      List<String> switches,
      Optional<String> lock) {}

  @Override
  public Integer call() throws InterruptedException {
    LoadedRun loaded = choice.run();
    RunDirectory run = loaded.directory();
    Status shown = show(status(loaded));
    while (watch && run.isWorkedOn()) {
      Thread.sleep(EVERY.toMillis());
      Status now = status(run.load());
      if (!now.equals(shown)) {
        spec.commandLine().getOut().println();
        shown = show(now);
      }
    }
    return ExitCode.OK.code();
  }

  private Status show(Status status) {
    output.print(status, () -> lines(status));
    return status;
  }

  private static List<String> lines(Status status) {
    List<String> lines = new ArrayList<>();
    Progress progress = status.progress();
    Applied set = status.applied();
    boolean applied = set.appliedFrom().isPresent();
    lines.add((applied ? "applied   " : "run       ") + status.run());
    set.appliedFrom().ifPresent(run -> lines.add("from      " + run));
    lines.add("host      " + status.host());
    lines.add("state     " + status.state());
    if (!applied) {
      lines.add(
          Phrase.of(
              "%-9s %d of %d finished%s, %d failed",
              progress.sessions().isPresent() ? "windows" : "trials",
              progress.finished(),
              progress.trials(),
              progress.valid() < progress.finished()
                  ? " (" + (progress.finished() - progress.valid()) + " excluded)"
                  : "",
              progress.failed()));
    }
    progress.sessions().ifPresent(words -> lines.add("sessions  " + words));
    progress.goal().ifPresent(words -> lines.add("goal      " + words));
    progress.precise().ifPresent(words -> lines.add("precise   " + words));
    lines.add("host has  " + left(status, applied ? "profile" : "run"));
    set.inForce().forEach(sentence -> lines.add("applied   " + sentence));
    set.switches().forEach(sentence -> lines.add("switch    " + sentence));
    set.lock().ifPresent(sentence -> lines.add("lock      " + sentence));
    lines.add("next      " + status.next());
    return lines;
  }

  private static String left(Status status, String whose) {
    String domains = String.join(", ", status.applied().changedDomains());
    if (!status.damages().isEmpty() && !status.embeddedLab()) {
      return domains.isEmpty()
          ? "not known: the run directory is damaged"
          : "settings of this run on %s, by the intact lines of the journal".formatted(domains);
    }
    if (!domains.isEmpty()) {
      return "settings of this %s on %s".formatted(whose, domains);
    }
    String which =
        status.embeddedLab()
            ? ": an embedded lab"
            : status.applied().inForce().isEmpty() ? "" : " itself";
    return "nothing left of this " + whose + which;
  }

  private static Status status(LoadedRun run) {
    Optional<Path> from = HostApply.origin(run.root());
    return from.isPresent() ? applied(run, from.get()) : measured(run);
  }

  /** Prints the status of an applied profile: nothing is measured; the undo is what matters. */
  private static Status applied(LoadedRun run, Path from) {
    RunRecord record = run.record();
    boolean left = !record.touched().isEmpty();
    String state =
        record.last().map(RunEnded::sentence).orElse("killed: the process died unexpectedly");
    return new Status(
        run.root().toString(),
        record.lastStart().map(RunStarted::host).orElse("never reached"),
        false,
        left || record.last().isEmpty() ? state : "undone: the settings found are restored",
        Progress.NONE,
        new Applied(
            Optional.of(from.toString()),
            List.of(),
            List.copyOf(record.touched()),
            List.of(),
            Optional.empty()),
        run.sentences(),
        left ? "slicewise restore " + run.root() + " undoes it" : "nothing");
  }

  /** Returns what is applied, and to what; the sentence of its end names the undo. */
  private static String inForce(RunDirectory applied) {
    RunRecord record = applied.record();
    return "%s (%s)"
        .formatted(
            record
                .last()
                .map(RunEnded::sentence)
                .orElse(
                    "killed while it applied a profile; undo: slicewise restore " + applied.root()),
            String.join(", ", record.touched()));
  }

  private static Status measured(LoadedRun run) {
    RunRecord record = run.record();
    Experiment experiment = run.experiment();
    boolean alive = run.directory().isWorkedOn();
    boolean lab = experiment.lab().isPresent();
    boolean silent = run.settingsInDoubt() && record.last().isEmpty();
    String state =
        silent && !alive
            ? "not known: the journal is damaged"
            : record.state() == RunState.RUNNING && !alive
                ? "killed: the process died unexpectedly"
                : record.last().map(RunEnded::sentence).orElse(record.state().text());
    LeftSwitches switches =
        lab ? LeftSwitches.NONE : LeftSwitches.of(run.directory(), experiment, alive);
    List<String> changed =
        record.touched().stream().filter(name -> !switches.restored().contains(name)).toList();
    return new Status(
        run.root().toString(),
        record.lastStart().map(RunStarted::host).orElse(silent ? "not known" : "never reached"),
        lab,
        state,
        progress(run),
        new Applied(
            Optional.empty(),
            HostApply.inForce(run.root()).stream().map(StatusCommand::inForce).toList(),
            lab && !alive ? List.of() : changed,
            switches.sentences(),
            Optional.of(run.directory())
                .filter(any -> record.state() == RunState.RUNNING && !alive && !lab)
                .map(
                    directory ->
                        "may still be on the host; slicewise restore %s removes it, and a dead man's switch that waits there"
                            .formatted(directory.root()))),
        run.sentences(),
        next(run, alive, lab));
  }

  private static Progress progress(LoadedRun run) {
    RunRecord record = run.record();
    Experiment experiment = run.experiment();
    return new Progress(
        record.trials(experiment).size(),
        record.finished().size(),
        record.valid().size(),
        record.failed().size(),
        experiment.design().map(design -> sessions(record)),
        experiment
            .tuning()
            .map(tuning -> tuning.goal().toString())
            .or(() -> experiment.aim().goal().map(Aim.Goal::toString)),
        experiment.stop().map(stop -> precise(run, stop)));
  }

  /** Returns how many sessions began, and how far the last one came. */
  private static String sessions(RunRecord record) {
    Map<SessionKey, List<Trial>> planned =
        record.planned().values().stream()
            .map(PlannedTrial::trial)
            .filter(trial -> trial.session().isPresent())
            .collect(Collectors.groupingBy(trial -> trial.session().get()));
    String begun = "%d of %d begun".formatted(record.sessions().size(), planned.size());
    return record.sessions().stream()
        .reduce((earlier, later) -> later)
        .map(
            last -> {
              List<Trial> windows = planned.getOrDefault(last, List.of());
              long done =
                  windows.stream()
                      .filter(window -> record.finished().contains(window.number()))
                      .count();
              return "%s; %s: %d of %d windows finished"
                  .formatted(begun, last.text(), done, windows.size());
            })
        .orElse(begun);
  }

  private static String precise(LoadedRun run, Stop stop) {
    int blocks = Math.max(run.experiment().repetitions(), run.record().blocks());
    return "%s; %s blocks so far, at most %s"
        .formatted(Precision.of(run.experiment(), run.results()).text(), blocks, stop.trials());
  }

  private static String next(LoadedRun loaded, boolean alive, boolean lab) {
    RunDirectory run = loaded.directory();
    RunRecord record = loaded.record();
    if (alive) {
      return "wait, or press Ctrl-C where it runs";
    }
    if (loaded.trialsInDoubt()) {
      return "slicewise check --repair " + run.root();
    }
    if (loaded.settingsInDoubt()) {
      return "slicewise restore --trust-damaged " + run.root();
    }
    boolean restore = !lab && record.state() == RunState.DONE && !record.touched().isEmpty();
    return NextStep.after(restore ? RunState.NOT_RESTORED : record.state(), run);
  }
}
