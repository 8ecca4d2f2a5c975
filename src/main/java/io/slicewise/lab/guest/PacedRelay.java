package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestHost.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ShutdownChannelGroupException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A relay between clients and a real server that appears to run in a simulated guest: the server
 * does its work, and its answer is sent when the guest's vCPUs have spent the cost of the work.
 *
 * <p>It is independent of protocols. Everything that a server sends after its client has sent
 * something is the answer of one exchange, as is an initial greeting. The first bytes of an answer
 * wait for the {@link Toll}, the rest follows them. Bytes are passed on unchanged, so TLS works.
 *
 * <p>No connection needs a thread, so a thousand idle connections cost only their buffers.
 */
public final class PacedRelay implements AutoCloseable {
  private static final int THREADS = 2;

  private final InetSocketAddress server;
  private final Supplier<Toll> tolls;
  private final AsynchronousChannelGroup group;
  private final AsynchronousServerSocketChannel door;
  private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();

  private PacedRelay(InetSocketAddress server, int port, Supplier<Toll> tolls) throws IOException {
    this.server = server;
    this.tolls = tolls;
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
   * Starts listening on loopback.
   *
   * @param server address of the real server
   * @param port 0 for any free port
   * @throws UncheckedIOException if the port is not available
   */
  public static PacedRelay start(InetSocketAddress server, int port, Toll toll) {
    return startEach(server, port, () -> toll);
  }

  /** As {@link #start}, with a toll of its own for each connection. */
  static PacedRelay startEach(InetSocketAddress server, int port, Supplier<Toll> tolls) {
    try {
      return new PacedRelay(server, port, tolls);
    } catch (IOException fault) {
      throw new UncheckedIOException("a relay cannot listen on port " + port, fault);
    }
  }

  /** The address for clients. */
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
            // The client disconnected before it was accepted, or the relay is closed.
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
              client, AsynchronousSocketChannel.open(group), tolls.get(), connections::remove);
      connections.add(connection);
      connection.connect(server);
    } catch (IOException noSocketLeft) {
      RelayedConnection.closeQuietly(client);
    }
  }

  /** Closes the relay and every connection. */
  @Override
  public void close() {
    try {
      door.close();
      connections.forEach(RelayedConnection::close);
      group.shutdownNow();
    } catch (ShutdownChannelGroupException closed) {
      // It was already closed.
    } catch (IOException fault) {
      throw new UncheckedIOException("the relay could not be closed", fault);
    }
  }

  /** Determines how long an exchange waits before its answer is sent. */
  @FunctionalInterface
  public interface Toll {
    /** The most bytes of a request that a toll may look at. */
    int TEXT = 4096;

    /**
     * One exchange of a connection, at the start of its answer.
     *
     * @param requestBytes bytes from the client since the previous answer; 0 if the server sends
     *     first
     * @param answerBytes the answer's first bytes, at most one buffer
     * @param request the first of those bytes as Latin-1, at most {@value #TEXT}
     * @param service time of the real server from the request's last byte to the answer's first
     */
    record Exchange(long requestBytes, long answerBytes, String request, Duration service) {}

    /** Completes when the answer may be sent; fails if the connection must be closed. */
    CompletionStage<Void> pay(Exchange exchange);

    /**
     * Returns a toll of CPU time in guests.
     *
     * @param works the costs of an exchange by domain, executed in order
     */
    static Toll of(GuestHost host, Function<Exchange, List<Work>> works) {
      return exchange -> host.spend(works.apply(exchange));
    }
  }
}
