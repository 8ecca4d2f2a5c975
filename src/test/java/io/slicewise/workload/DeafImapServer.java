package io.slicewise.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** Speaks enough IMAP to be handed a message, asks for it, and reads no byte of it. */
final class DeafImapServer implements AutoCloseable {
  /** Small, so that a message does not fit into what the system buffers for this side. */
  private static final int RECEIVE_BUFFER = 4096;

  private final ServerSocket socket;
  private final CountDownLatch closed = new CountDownLatch(1);

  private DeafImapServer(ServerSocket socket) {
    this.socket = socket;
  }

  static DeafImapServer start() throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    DeafImapServer server = new DeafImapServer(socket);
    Thread thread = new Thread(server::serve, "deaf-imap-server");
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  int port() {
    return socket.getLocalPort();
  }

  private void serve() {
    try (Socket client = socket.accept();
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        Writer out = new OutputStreamWriter(client.getOutputStream(), StandardCharsets.US_ASCII)) {
      say(out, "* OK [CAPABILITY IMAP4rev1] ready");
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", 3);
        String command = words[1].toUpperCase(Locale.ROOT);
        if (command.equals("APPEND")) {
          say(out, "+ go on");
          closed.await();
          return;
        }
        if (command.equals("LIST")) {
          say(out, "* LIST () \"/\" INBOX");
        } else if (command.equals("STATUS")) {
          say(out, "* STATUS INBOX (MESSAGES 0)");
        }
        say(out, words[0] + " OK done");
      }
    } catch (IOException fault) {
      if (closed.getCount() > 0) {
        throw new UncheckedIOException(fault);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void say(Writer out, String line) throws IOException {
    out.write(line + "\r\n");
    out.flush();
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    socket.close();
  }
}
