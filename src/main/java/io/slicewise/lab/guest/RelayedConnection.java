package io.slicewise.lab.guest;

import io.slicewise.lab.guest.PacedRelay.Toll;
import io.slicewise.lab.guest.PacedRelay.Toll.Exchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;

/** One client of a {@link PacedRelay} and its connection to the server. */
final class RelayedConnection {
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
                pay(new Exchange(sent, length, sent == 0 ? "" : request, service));
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

  private void pay(Exchange exchange) {
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
