package io.slicewise.sweep.deadman;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.Command.Effect;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import io.slicewise.sweep.deadman.HostSwitch.SwitchReport.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A switch on a host, which is a directory with its program. Who renames the file {@code armed} in
 * it decides: the switch, and then it restores the host, or the run, and then the switch ends.
 */
public final class HostSwitch {
  /** The directory of all switches; it survives the end of a login, and a reboot. */
  public static final String HOME = "/var/lib/slicewise";

  private static final String PLACE =
      """
      umask 077
      mkdir -p -- "$1" || exit 1
      mkdir -- "$1/$2" || exit 1
      cat >"$1/$2/program" && : >"$1/$2/beat" && : >"$1/$2/armed"\
      """;
  private static final String START =
      """
      cd / && setsid sh "$1/$2/program" watch </dev/null >/dev/null 2>&1 &\
      """;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long PAUSE_MILLIS = 200;

  private final RemoteShell shell;
  private final boolean sudo;
  private final String name;

  /**
   * Represents a switch that may exist.
   *
   * @param name of its directory: a run's id, a hyphen and a number
   */
  public HostSwitch(RemoteShell shell, boolean sudo, String name) {
    if (!name.matches("[0-9a-f]{1,32}-\\d{1,9}")) {
      throw new IllegalArgumentException("not the name of a switch: " + name);
    }
    this.shell = shell;
    this.sudo = sudo;
    this.name = name;
  }

  public static List<String> names(RemoteShell shell, boolean sudo) {
    CommandResult listed = shell.run(command(sudo, Effect.READS, List.of("ls", "-1", HOME)));
    return listed.succeeded()
        ? listed
            .standardOutput()
            .lines()
            .map(String::strip)
            .filter(one -> one.matches("[0-9a-f]{1,32}-\\d{1,9}"))
            .toList()
        : List.of();
  }

  /**
   * Puts the program on the host and starts it, detached from the connection.
   *
   * @throws SlicewiseException if the host cannot run it
   */
  public void arm(SwitchProgram program) {
    place(program.text());
    CommandResult started =
        shell.run(command(sudo, Effect.CHANGES, List.of("sh", "-c", START, "sh", HOME, name)));
    SwitchReport report = await(PATIENCE, State.DEAD);
    if (report.state() != State.ARMED) {
      throw refused("start the dead man's switch", started);
    }
  }

  private void place(String text) {
    Command placing = command(sudo, Effect.CHANGES, List.of("sh", "-c", PLACE, "sh", HOME, name));
    try (RunningCommand running = shell.start(placing)) {
      running.write(text);
      running.endInput();
      Optional<CommandResult> placed = running.await(PATIENCE);
      if (placed.isEmpty() || !placed.get().succeeded()) {
        throw refused(
            "write the dead man's switch below " + HOME,
            placed.orElseGet(() -> new CommandResult(placing, 1, "", "no answer", PATIENCE)));
      }
    }
  }

  private SlicewiseException refused(String what, CommandResult result) {
    String said = result.standardError().strip().replace('\n', ' ');
    return new SlicewiseException(
        ErrorKind.NOT_READY,
        "%s cannot %s%s; no setting is changed without it"
            .formatted(shell.address(), what, said.isEmpty() ? "" : ": " + said),
        "it needs root, setsid, and a writable " + HOME + "; 'slicewise doctor' checks them");
  }

  /** Sends a heartbeat, a word that differs from the last one. */
  public SwitchReport beat(String word) {
    return ask("beat", word);
  }

  public SwitchReport state() {
    return ask("state");
  }

  /** Ends the switch unless it has already begun to restore the host. */
  public SwitchReport standDown() {
    return ask("stand-down");
  }

  /** Waits while the switch restores the host, and returns what became of it. */
  public SwitchReport settled() {
    return await(PATIENCE.multipliedBy(2), State.FIRING);
  }

  /** Waits until the switch leaves a state. */
  private SwitchReport await(Duration limit, State left) {
    long deadline = System.nanoTime() + limit.toNanos();
    SwitchReport report = state();
    while (report.state() == left && System.nanoTime() < deadline && pause()) {
      report = state();
    }
    return report;
  }

  /** Removes a switch that has ended. */
  public void clear() {
    ask("clear");
  }

  private SwitchReport ask(String... words) {
    List<String> line = new ArrayList<>(List.of("sh", HOME + "/" + name + "/program"));
    line.addAll(List.of(words));
    return SwitchReport.parse(shell.run(command(sudo, Effect.READS, line)).standardOutput());
  }

  private static Command command(boolean sudo, Effect effect, List<String> words) {
    return new Command(words, Optional.empty(), effect).throughSudo(sudo);
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * The answer of a switch on the host.
   *
   * @param receipt what it restored; present if it has fired
   */
  public record SwitchReport(State state, Optional<SwitchReceipt> receipt) {
    /** The state of a switch. */
    public enum State {
      /** It waits. */
      ARMED,
      /** It is restoring the host. */
      FIRING,
      /** It has restored the host and ended. */
      FIRED,
      /** It was asked to stand down. */
      OFF,
      /** Its process ended while it waited, as at a reboot. */
      DEAD,
      /** Its process ended while it restored the host. */
      BROKEN,
      /** It is not on the host. */
      ABSENT
    }

    static SwitchReport parse(String output) {
      List<String> lines = output.lines().toList();
      State state =
          lines.stream()
              .findFirst()
              .flatMap(first -> EnumName.named(State.class, first.strip()))
              .orElse(State.ABSENT);
      return new SwitchReport(
          state,
          state == State.FIRED
              ? Optional.of(SwitchReceipt.parse(lines.subList(1, lines.size())))
              : Optional.empty());
    }
  }
}
