package io.slicewise.ssh;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.time.Duration;
import java.util.Optional;

/**
 * A running command that answers line by line to lines on its standard input. Lines that are not
 * read wait in memory up to a limit, beyond which the command is ended. Safe for use by one thread;
 * {@link #close} by any.
 */
public final class Conversation implements AutoCloseable {
  private static final Duration GRACE = Duration.ofMillis(500);

  /**
   * A line of the command's output.
   *
   * @param text without its line break
   * @param nanos when it arrived, by {@link System#nanoTime}
   */
  public record Line(String text, long nanos) {}

  private final Command command;
  private final String address;
  private final RunningCommand running;
  private final LineQueue lines;

  Conversation(Command command, String address, RunningCommand running, LineQueue lines) {
    this.command = command;
    this.address = address;
    this.running = running;
    this.lines = lines;
  }

  /**
   * Sends a line; the line break is added.
   *
   * @throws RemoteShellException if the command has ended or its connection is lost
   */
  public void say(String line) {
    running.write(line + "\n");
  }

  /**
   * Returns the next line; empty if none arrives within the limit, or if the thread is interrupted.
   *
   * @throws RemoteShellException if the command has ended or its connection is lost, and all its
   *     lines have been read
   */
  public Optional<Line> next(Duration limit) {
    Optional<LineQueue.Entry> entry = Patience.unlessInterrupted(limit, lines::next);
    if (entry.isPresent() && entry.get().line().isEmpty()) {
      throw ended();
    }
    return entry.flatMap(LineQueue.Entry::line);
  }

  /** Returns why there are no more lines. */
  private RemoteShellException ended() {
    if (lines.overflowed()) {
      return new RemoteShellException(
          Kind.OUTPUT_TOO_LARGE,
          String.format(
              "'%s' on %s printed more than %d MiB that nobody read.",
              command.shown(), address, LineQueue.LIMIT >> 20),
          "Ask it less often.",
          null);
    }
    CommandResult result = running.await(GRACE).orElse(null);
    String said = result == null ? "" : result.standardError().strip();
    return new RemoteShellException(
        Kind.COMMAND_ENDED,
        "'%s' on %s ended%s."
            .formatted(command.shown(), address, said.isEmpty() ? "" : ": " + said),
        "Check that this login may run it.",
        null);
  }

  /** Ends the command by ending its input; if it does not react, its channel is closed. */
  @Override
  public void close() {
    try {
      running.endInput();
      running.await(GRACE);
    } catch (RemoteShellException lost) {
      // There is nothing left to end.
    } finally {
      running.close();
    }
  }
}
