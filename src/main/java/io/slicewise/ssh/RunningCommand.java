package io.slicewise.ssh;

import java.time.Duration;
import java.util.Optional;

/** A command under way; closing it ends it. */
public interface RunningCommand extends AutoCloseable {
  /** The result if the command has ended. */
  Optional<CommandResult> poll();

  /** Waits for the end, at most that long. */
  Optional<CommandResult> await(Duration limit);

  /**
   * Ends the command if it still runs. Over SSH the machine is sent {@code SIGTERM} for it (OpenSSH
   * from 7.9 on delivers it, older ones ignore it), then the end of its standard input, then the
   * channel is closed, after which writing gives it {@code SIGPIPE}. A command that heeds none of
   * these goes on: start it with a time limit of its own.
   */
  @Override
  void close();
}
