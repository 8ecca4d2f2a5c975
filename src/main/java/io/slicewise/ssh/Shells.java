package io.slicewise.ssh;

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

  static RemoteShell open(Connection connection, SshHome home) {
    return SshShell.connect(new Dialer(home), connection);
  }
}
