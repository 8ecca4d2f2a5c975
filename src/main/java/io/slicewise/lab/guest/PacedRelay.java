package io.slicewise.lab.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * Stands between clients and a real server that shall seem to run in a simulated guest: the server
 * does its work, and its answer leaves when the guest's vCPUs have spent what the work cost.
 *
 * <p>It knows no protocol. What a server says after its client has spoken is the answer of one
 * exchange; the same goes for what it says first of all. The first bytes of an answer wait for the
 * {@link Toll}, the rest follows them. Bytes are passed on unchanged, so that TLS works through it.
 *
 * <p>Nothing waits in a thread of its own, so that a thousand idle connections cost no more than
 * their buffers.
 */
public final class PacedRelay implements AutoCloseable {
  private static final int THREADS = 2;

  private final InetSocketAddress server;
  private final Toll toll;
  private final AsynchronousChannelGroup group;
  private final AsynchronousServerSocketChannel door;
  private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();

  private PacedRelay(InetSocketAddress server, int port, Toll toll) throws IOException {
    this.server = server;
    this.toll = toll;
    group =
        AsynchronousChannelGroup.withFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = Executors.defaultThreadFactory().newThread(work);
              thread.setName("lab-relay");
              thread.setDaemon(true);
              return thread;
            });
    try {
      door =
          AsynchronousServerSocketChannel.open(group)
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException fault) {
      group.shutdownNow(); // closes the channel, too
      throw fault;
    }
    accept();
  }

  /**
   * Begins to listen on loopback.
   *
   * @param server where the real server listens
   * @param port 0 = any free one
   * @throws UncheckedIOException if the port cannot be had
   */
  public static PacedRelay start(InetSocketAddress server, int port, Toll toll) {
    try {
      return new PacedRelay(server, port, toll);
    } catch (IOException fault) {
      throw new UncheckedIOException("no relay can listen on port " + port, fault);
    }
  }

  /** Where clients reach the server. */
  public InetSocketAddress address() {
    try {
      return (InetSocketAddress) door.getLocalAddress();
    } catch (IOException closed) {
      throw new UncheckedIOException("the relay is closed", closed);
    }
  }

  private void accept() {
    door.accept(
        null,
        new CompletionHandler<AsynchronousSocketChannel, Void>() {
          @Override
          public void completed(AsynchronousSocketChannel client, Void nothing) {
            accept();
            relay(client);
          }

          @Override
          public void failed(Throwable fault, Void nothing) {
            // A client that was gone before it was let in; when the door is closed, there is none.
            if (door.isOpen()) {
              accept();
            }
          }
        });
  }

  private void relay(AsynchronousSocketChannel client) {
    try {
      RelayedConnection connection =
          new RelayedConnection(
              client, AsynchronousSocketChannel.open(group), toll, connections::remove);
      connections.add(connection);
      connection.connect(server);
    } catch (IOException noSocketLeft) {
      RelayedConnection.closeQuietly(client);
    }
  }

  /** Closes the door and every connection. */
  @Override
  public void close() {
    try {
      door.close();
      connections.forEach(RelayedConnection::close);
      group.shutdownNow();
    } catch (ShutdownChannelGroupException closed) {
      // It was closed before.
    } catch (IOException fault) {
      throw new UncheckedIOException("the relay does not close", fault);
    }
  }
}
