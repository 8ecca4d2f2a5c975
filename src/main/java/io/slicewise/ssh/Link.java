package io.slicewise.ssh;

import com.jcraft.jsch.Session;
import java.util.List;

/**
 * A live connection.
 *
 * @param session the session with the machine itself
 * @param hops the sessions it runs through, nearest first
 */
record Link(Session session, List<Session> hops) implements AutoCloseable {
  boolean alive() {
    return session.isConnected();
  }

  @Override
  public void close() {
    session.disconnect();
    for (int i = hops.size() - 1; i >= 0; i--) {
      hops.get(i).disconnect();
    }
  }
}
