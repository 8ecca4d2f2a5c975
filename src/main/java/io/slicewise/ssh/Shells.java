package io.slicewise.ssh;

import java.time.Duration;

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
}
