package io.slicewise.ssh;

import java.time.Duration;

/** Opens shells on this machine and on others. */
public final class Shells {
  private Shells() {}

  /** Commands and files of this machine, without SSH. */
  public static RemoteShell local() {
    return new LocalShell();
  }

  /**
   * Connects and logs in over SSH, by key alone.
   *
   * <p>The host key must be in {@code known_hosts}; nothing is ever asked and nothing is ever
   * written there. One connection serves all commands; it is renewed when it was lost.
   *
   * @throws RemoteShellException if the machine cannot be reached, shows an unknown or changed host
   *     key, or refuses the login
   */
  public static RemoteShell open(Connection connection) {
    return open(connection, SshHome.ofThisUser());
  }

  /**
   * The shell with another limit for commands that have none of their own.
   *
   * @param way a sentence that names the way to a higher limit
   */
  public static RemoteShell limited(RemoteShell shell, Duration limit, String way) {
    return new LimitedShell(shell, limit, way);
  }

  static RemoteShell open(Connection connection, SshHome home) {
    return SshShell.connect(new Dialer(home), connection);
  }
}
