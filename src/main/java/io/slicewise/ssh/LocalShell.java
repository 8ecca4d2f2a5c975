package io.slicewise.ssh;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.ssh.RemoteShellException.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;

/** This machine, without SSH. */
final class LocalShell implements RemoteShell {
  /** The exit status of a POSIX shell for a missing program. */
  private static final int NOT_FOUND = 127;

  @Override
  public CommandResult run(Command command) {
    LocalCommand running;
    try {
      running = LocalCommand.start(command, Optional.empty());
    } catch (IOException e) {
      return new CommandResult(command, NOT_FOUND, "", FileFault.reason(e), Duration.ZERO);
    }
    try (running) {
      running.endInput();
      Optional<CommandResult> result = running.finish();
      return result.orElseThrow(
          () ->
              new RemoteShellException(
                  Kind.TIMED_OUT,
                  "'%s' did not end within %s."
                      .formatted(command.shown(), DurationText.of(command.timeout())),
                  command.effect() == Command.Effect.CHANGES
                      ? "It may have taken effect: check before repeating it."
                      : "Find out what blocks it.",
                  null));
    }
  }

  @Override
  public RunningCommand start(Command command) {
    return started(command, Optional.empty());
  }

  @Override
  public RunningCommand stream(Command command, OutputStream output) {
    return started(command, Optional.of(output));
  }

  @Override
  public Conversation converse(Command command) {
    LineQueue lines = new LineQueue();
    return new Conversation(command, address(), started(command, Optional.of(lines)), lines);
  }

  private static RunningCommand started(Command command, Optional<OutputStream> output) {
    try {
      return LocalCommand.start(command, output);
    } catch (IOException e) {
      throw new RemoteShellException(
          Kind.UNREACHABLE,
          "'%s' cannot be started on this machine: %s."
              .formatted(command.shown(), FileFault.reason(e)),
          "Install " + command.words().get(0) + " or fix the PATH.",
          e);
    }
  }

  @Override
  public void send(Path localFile, String remoteFile) {
    try {
      Files.copy(localFile, Path.of(remoteFile), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new RemoteShellException(
          Kind.FILE_NOT_SENT,
          "%s was not copied to %s: %s.".formatted(localFile, remoteFile, FileFault.reason(e)),
          "Check the path.",
          e);
    }
  }

  @Override
  public void fetch(String remoteFile, Path localFile) {
    try {
      Files.copy(Path.of(remoteFile), localFile);
    } catch (IOException e) {
      boolean exists = e instanceof FileAlreadyExistsException;
      throw new RemoteShellException(
          Kind.FILE_NOT_FETCHED,
          "%s was not copied to %s: %s."
              .formatted(
                  remoteFile, localFile, exists ? "the local file exists" : FileFault.reason(e)),
          exists ? "Nothing is overwritten: move the file away." : "Check the path.",
          e);
    }
  }

  @Override
  public String address() {
    return "localhost";
  }

  @Override
  public void close() {
    // Commands end on their own or are closed by their callers.
  }
}
