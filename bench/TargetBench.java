import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many pages a running sample web application serves: connections that stay open ask for the
 * page again and again. Prints pages a second, and pages a second of the server's own CPU time,
 * which is what one core can serve; the database's CPU time is not in it.
 *
 * <p>java bench/TargetBench.java URL PID CONNECTIONS SECONDS
 */
final class TargetBench {
  private static final byte[] REQUEST =
      ("POST / HTTP/1.1\r\nHost: bench\r\nContent-Type: application/x-www-form-urlencoded\r\n"
              + "Content-Length: 29\r\n\r\nuser=user1&password=password1")
          .getBytes(StandardCharsets.US_ASCII);

  private static final AtomicLong PAGES = new AtomicLong();
  private static final AtomicLong WRONG = new AtomicLong();

  public static void main(String[] arguments) throws Exception {
    URI target = URI.create(arguments[0]);
    ProcessHandle server = ProcessHandle.of(Long.parseLong(arguments[1])).orElseThrow();
    int connections = Integer.parseInt(arguments[2]);
    double seconds = Double.parseDouble(arguments[3]);
    for (int i = 0; i < connections; i++) {
      Thread user = new Thread(null, () -> visit(target), "user", 1 << 16);
      user.setDaemon(true);
      user.start();
    }
    Thread.sleep((long) (seconds * 500));
    long pages = PAGES.get();
    long cpu = cpuNanos(server);
    long start = System.nanoTime();
    Thread.sleep((long) (seconds * 1000));
    double elapsed = (System.nanoTime() - start) / 1e9;
    double served = PAGES.get() - pages;
    double cpuSeconds = (cpuNanos(server) - cpu) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%d connections: %.0f pages/s, %.0f pages per CPU second of the server, %d wrong%n",
        connections,
        served / elapsed,
        served / cpuSeconds,
        WRONG.get());
  }

  private static long cpuNanos(ProcessHandle server) {
    return server.info().totalCpuDuration().orElseThrow().toNanos();
  }

  private static void visit(URI target) {
    try (Socket socket = new Socket(target.getHost(), target.getPort())) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
      while (true) {
        out.write(REQUEST);
        int length = contentLength(in);
        byte[] body = in.readNBytes(length);
        boolean right = length > 4_500 && body[length - 2] == '>';
        (right ? PAGES : WRONG).incrementAndGet();
      }
    } catch (IOException ended) {
      WRONG.incrementAndGet();
    }
  }

  private static int contentLength(InputStream in) throws IOException {
    int length = -1;
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the server closed the connection");
      }
      if (next == '\n') {
        String header = line.toString().strip();
        line.setLength(0);
        if (header.isEmpty()) {
          return length;
        }
        if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(header.substring(15).strip());
        }
      } else {
        line.append((char) next);
      }
    }
  }
}
