package io.slicewise.ssh;

import java.time.Duration;
import java.util.Optional;

/** A running command; closing it ends it. */
public interface RunningCommand extends AutoCloseable {
  /**
   * Writes to the command's standard input. Blocks while the command does not read and its buffer,
   * of at least ten thousand characters, is full.
   *
   * @throws RemoteShellException {@code COMMAND_ENDED} or {@code CONNECTION_LOST} if nothing can
   *     read it anymore
   */
  void write(String text);

  /** Ends the command's standard input; does nothing if the command has ended. */
  void endInput();

  /** The result if the command has ended. */
  Optional<CommandResult> poll();

  /** Waits for the end, at most {@code limit}. */
  Optional<CommandResult> await(Duration limit);

  /**
   * Ends the command if it still runs: closes its standard input and its channel and requests a
   * {@code SIGTERM}. Over SSH this is only a request: OpenSSH before 7.9, and every OpenSSH for a
   * login as root, ignores it (seen on Debian 12: a {@code sleep} kept running). A command that
   * reacts neither to the end of its input nor to {@code SIGPIPE} then keeps running; give it its
   * own time limit and, where it matters, end it with another command.
   */
  @Override
  void close();
}
