package io.slicewise.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A port that leads to another one until it is cut. */
final class CuttableRelay implements AutoCloseable {
  private final ServerSocket entrance;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  CuttableRelay(int target) throws IOException {
    entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    inBackground(() -> relay(target));
  }

  int port() {
    return entrance.getLocalPort();
  }

  private void relay(int target) throws IOException {
    while (true) {
      Socket near = entrance.accept();
      sockets.add(near);
      Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(far);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      inBackground(() -> copy(near.getInputStream(), far.getOutputStream()));
      inBackground(() -> copy(far.getInputStream(), near.getOutputStream()));
    }
  }

  private static void copy(InputStream from, OutputStream to) throws IOException {
    from.transferTo(to);
  }

  /** Work that ends when its sockets are closed. */
  private interface Work {
    void run() throws IOException;
  }

  private static void inBackground(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException cut) {
                return;
              }
            },
            "relay");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends every connection, and takes no more. */
  @Override
  public void close() throws IOException {
    entrance.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
