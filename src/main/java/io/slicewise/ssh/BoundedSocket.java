package io.slicewise.ssh;

import com.jcraft.jsch.SocketFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The socket of one sign-in, closed when the whole sign-in takes too long. The library's own limit
 * restarts with every byte, so a server that keeps sending lines before its version would block it
 * forever.
 */
final class BoundedSocket implements SocketFactory, AutoCloseable {
  private final Duration limit;
  private final CompletableFuture<Void> expiry;
  private Socket socket;
  private boolean signedIn;
  private boolean expired;

  BoundedSocket(Duration limit) {
    this.limit = limit;
    this.expiry =
        CompletableFuture.runAsync(
            this::expire,
            CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Socket opened = new Socket();
    keep(opened);
    opened.connect(new InetSocketAddress(host, port), Math.toIntExact(limit.toMillis()));
    return opened;
  }

  private synchronized void keep(Socket opened) {
    socket = opened;
  }

  @Override
  public InputStream getInputStream(Socket from) throws IOException {
    return from.getInputStream();
  }

  @Override
  public OutputStream getOutputStream(Socket to) throws IOException {
    return to.getOutputStream();
  }

  /** Removes the limit: the sign-in succeeded. */
  synchronized void signedIn() {
    signedIn = true;
  }

  synchronized boolean expired() {
    return expired;
  }

  private synchronized void expire() {
    if (!signedIn) {
      expired = true;
      abandon();
    }
  }

  /** Closes without waiting for unsent data, so it also ends if the peer reads nothing. */
  private void abandon() {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    expiry.cancel(false);
  }
}
