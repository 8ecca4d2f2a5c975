package io.slicewise.ssh;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.nio.file.Path;
import java.time.Duration;

/** A shell with a default time limit for commands that have none. */
record LimitedShell(RemoteShell shell, Duration limit, String way) implements RemoteShell {
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

  @Override
  public Conversation converse(Command command) {
    return shell.converse(command);
  }

  @Override
  public void send(Path localFile, String remoteFile) {
    shell.send(localFile, remoteFile);
  }

  @Override
  public void fetch(String remoteFile, Path localFile) {
    shell.fetch(remoteFile, localFile);
  }

  @Override
  public String address() {
    return shell.address();
  }

  @Override
  public void close() {
    shell.close();
  }
}
