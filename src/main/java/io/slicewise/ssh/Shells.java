package io.slicewise.ssh;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.SshConfig.SshHome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Opens shells on this machine and on other machines. */
public final class Shells {
  private Shells() {}

  /** Returns a shell on this machine, without SSH. */
  public static RemoteShell local() {
    return new LocalShell();
  }

  /**
   * Connects and logs in over SSH, with a key only.
   *
   * <p>The host key must be in {@code known_hosts}; the login never prompts and never writes that
   * file. One connection serves all commands; it is renewed if it is lost.
   *
   * @throws RemoteShellException if the machine cannot be reached, shows an unknown or changed host
   *     key, or refuses the login
   */
  public static RemoteShell open(Connection connection) {
    return open(connection, SshHome.ofThisUser());
  }

  /**
   * Returns the shell with another limit for commands that have no limit of their own.
   *
   * @param way a sentence that explains how to raise the limit
   */
  public static RemoteShell limited(RemoteShell shell, Duration limit, String way) {
    return new LimitedShell(shell, limit, way);
  }

  /** Returns the shell with a listener for its answers. */
  public static RemoteShell observed(RemoteShell shell, ShellListener listener) {
    return new ObservedShell(shell, listener);
  }

  static RemoteShell open(Connection connection, SshHome home) {
    return SshShell.connect(new Dialer(home), connection);
  }

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

  /** A shell that does what another one does, except for the methods it overrides. */
  private interface ForwardingShell extends RemoteShell {
    RemoteShell shell();

    @Override
    default CommandResult run(Command command) {
      return shell().run(command);
    }

    @Override
    default RunningCommand start(Command command) {
      return shell().start(command);
    }

    @Override
    default Conversation converse(Command command) {
      return shell().converse(command);
    }

    @Override
    default RunningCommand stream(Command command, OutputStream output) {
      return shell().stream(command, output);
    }

    @Override
    default void send(Path localFile, String remoteFile) {
      shell().send(localFile, remoteFile);
    }

    @Override
    default void fetch(String remoteFile, Path localFile) {
      shell().fetch(remoteFile, localFile);
    }

    @Override
    default String address() {
      return shell().address();
    }

    @Override
    default void close() {
      shell().close();
    }
  }

  /** This machine, without SSH. */
  private static final class LocalShell implements RemoteShell {
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

  /** Receives what a shell was asked and what it answered. Called by several threads. */
  public interface ShellListener {
    /**
     * Receives a command that ended.
     *
     * @param input whether anything was written to its standard input
     */
    void answered(CommandResult result, boolean input);

    /** Receives a command that was ended from here, so that the machine gave no exit status. */
    void ended(Command command);

    /** Receives the place of a file that was copied from the machine. */
    void fetched(String remoteFile, Path localFile);
  }
}
