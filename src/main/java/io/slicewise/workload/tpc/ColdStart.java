package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.ssh.SshLogin;
import io.slicewise.workload.MachineOptions;
import io.slicewise.workload.target.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Empties every cache between a database and its disk: runs the commands of an experiment in order,
 * each on its machine, and waits until the server answers again.
 */
record ColdStart(List<Step> steps) {
  static final List<Option> OPTIONS =
      Option.join(
          List.of(
              Option.optional("on", new OptionKind.Text(), "the machine's SSH address or alias")
                  .asPlace(),
              Option.optional(
                      "local",
                      new OptionKind.Flag(),
                      "true: this machine, which is then the server")
                  .asPlace()),
          MachineOptions.login("", "the user; default: from SSH's configuration"),
          List.of(
              Option.needed(
                  "command",
                  new OptionKind.Many(new OptionKind.Text(), 1, 100),
                  "the program and its arguments, as a list")));

  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(5);
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(2);
  private static final long PAUSE_MILLIS = 250;

  /**
   * One command.
   *
   * @param on the machine; empty for this one
   */
  record Step(Optional<Connection> on, List<String> command) {
    Step {
      command = List.copyOf(command);
    }
  }

  ColdStart {
    steps = List.copyOf(steps);
  }

  /** Reads the steps of an experiment. */
  static ColdStart of(List<Options> steps) {
    return new ColdStart(steps.stream().map(ColdStart::step).toList());
  }

  private static Step step(Options step) {
    List<String> command = step.many("command", String.class);
    boolean local = step.has("local") && step.flag("local");
    if (local == step.has("on")) {
      throw SlicewiseException.input(
          "cold start: '%s' needs either 'on' or 'local: true'"
              .formatted(String.join(" ", command)),
          "say on which machine it runs");
    }
    return new Step(
        step.text("on").map(address -> Connection.to(address, SshLogin.of(step, ""))), command);
  }

  /**
   * Runs the commands, if any.
   *
   * @throws SlicewiseException if a command fails or the server does not answer within 2 minutes
   */
  void run(Database database) {
    steps.forEach(ColdStart::run);
    if (!steps.isEmpty()) {
      awaitAnswer(database);
    }
  }

  private static void run(Step step) {
    Command command = new Command(step.command, COMMAND_LIMIT, Command.Effect.CHANGES);
    try (RemoteShell shell = step.on.map(Shells::open).orElseGet(Shells::local)) {
      CommandResult result = shell.run(command);
      if (!result.succeeded()) {
        throw new SlicewiseException(
            ErrorKind.NOT_READY,
            "cold start: '%s' on %s failed with status %s: %s"
                .formatted(
                    command.quoted(),
                    shell.address(),
                    result.exitStatus(),
                    result.standardError().lines().findFirst().orElse("no reason given")),
            "fix the workload's 'cold'");
      }
    }
  }

  private static void awaitAnswer(Database database) {
    Instant end = Instant.now().plus(ANSWER_LIMIT);
    while (true) {
      try {
        database.connect().close();
        return;
      } catch (SlicewiseException notYet) {
        if (Instant.now().isAfter(end)) {
          throw notYet;
        }
      } catch (SQLException fault) {
        throw database.fault("signing out", fault);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new SlicewiseException(
          ErrorKind.INTERRUPTED, "interrupted while waiting for the database", "", interrupted);
    }
  }
}
