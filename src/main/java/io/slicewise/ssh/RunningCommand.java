package io.slicewise.ssh;

import java.time.Duration;
import java.util.Optional;

/** A command under way; closing it ends it. */
public interface RunningCommand extends AutoCloseable {
  /**
   * Writes to the command's standard input. Blocks while the command reads nothing and its buffer
   * is full, which has room for some ten thousand characters at least.
   *
   * @throws RemoteShellException {@code COMMAND_ENDED} or {@code CONNECTION_LOST} if nothing can
   *     read it any more
   */
  void write(String text);

  /** Ends the command's standard input; does nothing if the command has ended. */
  void endInput();

  /** The result if the command has ended. */
  Optional<CommandResult> poll();

  /** Waits for the end, at most that long. */
  Optional<CommandResult> await(Duration limit);

  /**
   * Ends the command if it still runs: closes its standard input and its channel and asks the
   * machine for a {@code SIGTERM}. Over SSH that is no more than a request: OpenSSH before 7.9, and
   * every OpenSSH for a login as root, ignores it (seen on Debian 12: a {@code sleep} went on). A
   * command that heeds neither the end of its input nor {@code SIGPIPE} goes on then; so give it a
   * time limit of its own and, where it matters, end it by a command of its own.
   */
  @Override
  void close();
}
