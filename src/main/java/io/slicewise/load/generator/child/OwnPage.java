package io.slicewise.load.generator.child;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;

/**
 * The program of a page that a generator loads to measure itself: 5 KB over the loopback interface,
 * by one thread, for as little CPU as possible. It prints its port and ends with its input.
 */
public final class OwnPage {
  private static final int PAGE_BYTES = 5_000;
  private static final int REQUEST_BYTES = 1 << 13;
  private static final int BACKLOG = 2_000;

  private final Selector selector;
  private final ServerSocketChannel door;
  private final ByteBuffer answer;
  private final ByteBuffer request = ByteBuffer.allocate(REQUEST_BYTES);

  private OwnPage() throws IOException {
    selector = Selector.open();
    door = ServerSocketChannel.open();
    door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    door.configureBlocking(false);
    door.register(selector, SelectionKey.OP_ACCEPT);
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ";
    byte[] page =
        (head + PAGE_BYTES + "\r\n\r\n" + "x".repeat(PAGE_BYTES))
            .getBytes(StandardCharsets.US_ASCII);
    answer = ByteBuffer.allocateDirect(page.length).put(page).flip();
  }

  public static void main(String[] arguments) throws IOException {
    OwnPage page = new OwnPage();
    System.out.println(page.door.socket().getLocalPort());
    Thread server = new Thread(page::serve, "page");
    server.setDaemon(true);
    server.start();
    while (System.in.read() >= 0) {
      // The input only ends.
    }
  }

  private void serve() {
    try {
      while (true) {
        selector.select();
        for (Iterator<SelectionKey> ready = selector.selectedKeys().iterator(); ready.hasNext(); ) {
          SelectionKey key = ready.next();
          ready.remove();
          if (key.isAcceptable()) {
            accept();
          } else {
            answer(key);
          }
        }
      }
    } catch (IOException broken) {
      Runtime.getRuntime().halt(1);
    }
  }

  private void accept() throws IOException {
    SocketChannel user = door.accept();
    if (user != null) {
      user.configureBlocking(false);
      user.setOption(StandardSocketOptions.TCP_NODELAY, true);
      user.register(selector, SelectionKey.OP_READ);
    }
  }

  /** A request has no body and fits into one packet; it ends with an empty line. */
  private void answer(SelectionKey key) throws IOException {
    SocketChannel user = (SocketChannel) key.channel();
    request.clear();
    try {
      int length = user.read(request);
      if (length < 0) {
        user.close();
      } else if (length > 0 && request.get(length - 1) == '\n') {
        for (ByteBuffer rest = answer.duplicate(); rest.hasRemaining(); ) {
          user.write(rest);
        }
      }
    } catch (IOException gone) {
      user.close();
    }
  }
}
