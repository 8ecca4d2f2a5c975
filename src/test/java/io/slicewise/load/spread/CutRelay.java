package io.slicewise.load.spread;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A network between two programs that can be cut: nothing arrives any more, and nothing ends. */
public final class CutRelay implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final int target;
  private volatile boolean cut;

  public CutRelay(int target) throws IOException {
    this.target = target;
    start(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  public void cut() {
    cut = true;
  }

  /** Connects again; what was under way when it was cut is lost. */
  public void mend() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    cut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket near = server.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        sockets.addAll(List.of(near, far));
        start(() -> copy(near, far));
        start(() -> copy(far, near));
      }
    } catch (IOException over) {
      // It is closed.
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] block = new byte[1 << 14];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int length;
      while ((length = in.read(block)) >= 0) {
        while (cut && !from.isClosed() && !closed.await(10, TimeUnit.MILLISECONDS)) {
          // Nothing arrives.
        }
        out.write(block, 0, length);
      }
    } catch (IOException | InterruptedException over) {
      // One of both ends is closed.
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends every connection, and takes no more. */
  @Override
  public void close() throws IOException {
    server.close();
    closed.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
