package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestHost.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;

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

  /** One client of a {@link PacedRelay} and its connection to the server. */
  private static final class RelayedConnection {
    private static final int BUFFER = 1 << 16;

    private final AsynchronousSocketChannel client;
    private final AsynchronousSocketChannel server;
    private final Toll toll;
    private final Consumer<RelayedConnection> whenClosed;
    private final ByteBuffer requests = ByteBuffer.allocate(BUFFER);
    private final ByteBuffer answers = ByteBuffer.allocate(BUFFER);
    private final AtomicBoolean open = new AtomicBoolean(true);

    /** The bytes sent by the client since the previous answer; -1 during an answer. */
    private final AtomicLong asked = new AtomicLong();

    private volatile long askedAt = System.nanoTime();
    private volatile String request = "";

    RelayedConnection(
        AsynchronousSocketChannel client,
        AsynchronousSocketChannel server,
        Toll toll,
        Consumer<RelayedConnection> whenClosed) {
      this.client = client;
      this.server = server;
      this.toll = toll;
      this.whenClosed = whenClosed;
    }

    void connect(InetSocketAddress to) {
      try {
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        server.setOption(StandardSocketOptions.TCP_NODELAY, true);
        server.connect(
            to,
            null,
            onEnd(
                connected -> {
                  listen();
                  receive();
                }));
      } catch (IOException fault) {
        close();
      }
    }

    /** Forwards requests at once. */
    private void listen() {
      requests.clear();
      client.read(
          requests,
          null,
          onEnd(
              length -> {
                if (length < 0) {
                  endOfRequests();
                  return;
                }
                askedAt = System.nanoTime();
                requests.flip();
                if (asked.get() <= 0) {
                  request = text(requests);
                }
                asked.updateAndGet(before -> Math.max(0, before) + length);
                write(server, requests, this::listen);
              }));
    }

    private static String text(ByteBuffer bytes) {
      int length = Math.min(bytes.remaining(), Toll.TEXT);
      return StandardCharsets.ISO_8859_1.decode(bytes.slice(bytes.position(), length)).toString();
    }

    private void endOfRequests() {
      try {
        server.shutdownOutput();
      } catch (IOException gone) {
        close();
      }
    }

    /** Forwards answers after their toll. */
    private void receive() {
      acknowledgeAtOnce();
      answers.clear();
      server.read(
          answers,
          null,
          onEnd(
              length -> {
                if (length < 0) {
                  close();
                  return;
                }
                answers.flip();
                long sent = asked.getAndSet(-1);
                if (sent < 0) {
                  answer();
                } else {
                  Duration service = Duration.ofNanos(System.nanoTime() - askedAt);
                  pay(new Toll.Exchange(sent, length, sent == 0 ? "" : request, service));
                }
              }));
    }

    /**
     * Makes the kernel acknowledge at once: a server that writes an answer in pieces without
     * TCP_NODELAY waits for the acknowledgement of the first piece, which Linux delays by up to 40
     * ms. The option is not permanent.
     */
    private void acknowledgeAtOnce() {
      if (server.supportedOptions().contains(ExtendedSocketOptions.TCP_QUICKACK)) {
        try {
          server.setOption(ExtendedSocketOptions.TCP_QUICKACK, true);
        } catch (IOException gone) {
          close();
        }
      }
    }

    private void pay(Toll.Exchange exchange) {
      toll.pay(exchange)
          .whenComplete(
              (paid, refused) -> {
                if (refused == null) {
                  answer();
                } else {
                  close();
                }
              });
    }

    private void answer() {
      write(client, answers, this::receive);
    }

    private void write(AsynchronousSocketChannel to, ByteBuffer bytes, Runnable next) {
      to.write(
          bytes,
          null,
          onEnd(
              length -> {
                if (bytes.hasRemaining()) {
                  write(to, bytes, next);
                } else {
                  next.run();
                }
              }));
    }

    /** Handles completions; a failure or the end of either side closes the connection. */
    private <T> CompletionHandler<T, Void> onEnd(Consumer<T> next) {
      return new CompletionHandler<>() {
        @Override
        public void completed(T result, Void nothing) {
          try {
            next.accept(result);
          } catch (RuntimeException fault) {
            close();
          }
        }

        @Override
        public void failed(Throwable fault, Void nothing) {
          close();
        }
      };
    }

    void close() {
      if (open.getAndSet(false)) {
        closeQuietly(client);
        closeQuietly(server);
        whenClosed.accept(this);
      }
    }

    static void closeQuietly(AsynchronousSocketChannel channel) {
      try {
        channel.close();
      } catch (IOException gone) {
        // Nobody is left to be notified.
      }
    }
  }
}
