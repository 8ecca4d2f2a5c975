package io.slicewise.ssh;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A shell whose answers a listener receives; conversations are not passed on. */
record ObservedShell(RemoteShell shell, ShellListener listener) implements ForwardingShell {
  @Override
  public CommandResult run(Command command) {
    CommandResult result = shell.run(command);
    listener.answered(result, false);
    return result;
  }

  @Override
  public RunningCommand start(Command command) {
    return new Observed(
        command, shell.start(command), listener, new AtomicBoolean(), new AtomicBoolean());
  }

  @Override
  public void fetch(String remoteFile, Path localFile) {
    shell.fetch(remoteFile, localFile);
    listener.fetched(remoteFile, localFile);
  }

  /** A running command whose result is passed on once. */
  private record Observed(
      Command command,
      RunningCommand running,
      ShellListener listener,
      AtomicBoolean input,
      AtomicBoolean passedOn)
      implements RunningCommand {
    @Override
    public void write(String text) {
      input.set(true);
      running.write(text);
    }

    @Override
    public void endInput() {
      running.endInput();
    }

    @Override
    public Optional<CommandResult> poll() {
      return passOn(running.poll());
    }

    @Override
    public Optional<CommandResult> await(Duration limit) {
      return passOn(running.await(limit));
    }

    private Optional<CommandResult> passOn(Optional<CommandResult> result) {
      if (result.isPresent() && passedOn.compareAndSet(false, true)) {
        listener.answered(result.get(), input.get());
      }
      return result;
    }

    @Override
    public void close() {
      running.close();
      if (passedOn.compareAndSet(false, true)) {
        listener.ended(command);
      }
    }
  }
}
