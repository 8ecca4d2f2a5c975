package io.slicewise.ssh;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.time.Duration;

/** A shell with a default time limit for commands that have none. */
record LimitedShell(RemoteShell shell, Duration limit, String way) implements ForwardingShell {
  @Override
  public CommandResult run(Command command) {
    try {
      return shell.run(command.orWithin(limit));
    } catch (RemoteShellException slow) {
      if (slow.kind() != Kind.TIMED_OUT || command.limit().isPresent()) {
        throw slow;
      }
      throw new RemoteShellException(
          Kind.TIMED_OUT, slow.getMessage(), slow.hint() + " " + way, slow);
    }
  }

  @Override
  public RunningCommand start(Command command) {
    return shell.start(command.orWithin(limit));
  }
}
