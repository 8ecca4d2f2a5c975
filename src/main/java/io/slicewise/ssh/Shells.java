package io.slicewise.ssh;

import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.SshConfig.SshHome;
import java.io.OutputStream;
import java.nio.file.Path;
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
}
