package io.slicewise.ssh;

import java.time.Duration;
import java.util.Optional;

/** A command under way; closing it ends it. */
public interface RunningCommand extends AutoCloseable {
  /** The result if the command has ended. */
  Optional<CommandResult> poll();

  /** Waits for the end, at most that long. */
  Optional<CommandResult> await(Duration limit);

  /** Ends the command if it still runs (closes its channel and its standard input). */
  @Override
  void close();
}
