package io.slicewise.ssh;

import com.jcraft.jsch.JSchException;
import io.slicewise.base.units.FileFault;
import io.slicewise.ssh.Dialer.Link;
import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.SshConfig.SshHome;

/**
 * A port of this machine's loopback that leads, over SSH, to a port as another machine reaches it.
 */
public final class Tunnel implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final Link link;
  private final int port;

  private Tunnel(Link link, int port) {
    this.link = link;
    this.port = port;
  }

  /**
   * Connects and logs in as {@link Shells#open(Connection)} does.
   *
   * @param host as the machine calls it
   * @throws RemoteShellException if the machine cannot be reached or refuses the login
   */
  public static Tunnel open(Connection connection, String host, int port) {
    Link link = new Dialer(SshHome.ofThisUser()).dial(connection);
    try {
      return new Tunnel(link, link.session().setPortForwardingL(LOOPBACK, 0, host, port));
    } catch (JSchException e) {
      link.close();
      throw new RemoteShellException(
          Kind.UNREACHABLE,
          "no port of this machine leads to port %d of %s through %s: %s"
              .formatted(port, host, connection.address(), FileFault.reason(e)),
          "",
          e);
    }
  }

  /** Returns the port of this machine's loopback. */
  public int port() {
    return port;
  }

  /** Returns whether the connection is up. */
  public boolean isOpen() {
    return link.alive();
  }

  @Override
  public void close() {
    link.close();
  }
}
