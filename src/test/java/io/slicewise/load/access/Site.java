package io.slicewise.load.access;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.Awaitility;

/**
 * A site: nginx with the recommended log before an application, and users of whom nothing else
 * knows, who remember when each of their requests began and ended.
 */
public final class Site implements AutoCloseable {
  private static final Path NGINX = Path.of("/usr/sbin/nginx");

  private final Path directory;
  private final int port;
  private final Optional<HttpServer> application;
  private final int behind;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Process nginx;
  private final Users users;

  private Site(Path directory, Optional<URI> guest, double rate) throws IOException {
    this.directory = directory;
    this.port = Ports.free();
    application = guest.isPresent() ? Optional.empty() : Optional.of(application());
    behind =
        guest.map(URI::getPort).orElseGet(() -> application.orElseThrow().getAddress().getPort());
    Files.writeString(directory.resolve("nginx.conf"), configuration());
    nginx =
        new ProcessBuilder(NGINX.toString(), "-c", directory.resolve("nginx.conf").toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("nginx.out").toFile())
            .start();
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> Ports.listens(port));
    users = new Users(this::request, rate);
  }

  private HttpServer application() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          serve();
          int status = exchange.getRequestURI().getPath().startsWith("/err") ? 503 : 200;
          byte[] page = "page".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(status, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static void serve() {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(2, 30));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  public static boolean canBeBuilt() {
    return Files.isExecutable(NGINX);
  }

  /** Opens a site whose users come {@code rate} times a second. */
  public static Site open(Path directory, double rate) throws IOException {
    return open(directory, Optional.empty(), rate);
  }

  /** Opens a site whose pages a guest makes, which serves the web application. */
  public static Site before(URI guest, Path directory, double rate) throws IOException {
    return open(directory, Optional.of(guest), rate);
  }

  private static Site open(Path directory, Optional<URI> guest, double rate) throws IOException {
    return new Site(Files.createDirectories(directory), guest, rate);
  }

  /** Lets the users come that many times a second from now on. */
  public void arrive(double times) {
    users.arrive(times);
  }

  private String configuration() {
    return """
        daemon off; master_process on; worker_processes 1; user root;
        pid %1$s/pid; error_log %1$s/error.log;
        events { worker_connections 256; }
        http {
          %2$s
          client_body_temp_path %1$s/t1; proxy_temp_path %1$s/t2; fastcgi_temp_path %1$s/t3;
          uwsgi_temp_path %1$s/t4; scgi_temp_path %1$s/t5;
          server { listen 127.0.0.1:%3$d; location / { proxy_pass http://127.0.0.1:%4$d; } }
        }
        """
        .formatted(
            directory, LineFormats.advice("nginx", log().toString()).orElseThrow(), port, behind);
  }

  private HttpRequest request(int number) {
    return application.isPresent()
        ? HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/%s/%d"
                        .formatted(port, number < 2 ? "err" : "page", number)))
            .build()
        : Users.pageView(port, number);
  }

  public Path log() {
    return directory.resolve("access.log");
  }

  /** The visits that have ended. */
  public List<Users.Visit> visits() {
    return users.visits();
  }

  /** Renames the log as logrotate does, and tells nginx. */
  public void rotate() {
    try {
      Files.move(log(), directory.resolve("access.log.1"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    signal("reopen");
  }

  private void signal(String word) {
    try {
      new ProcessBuilder(
              NGINX.toString(), "-c", directory.resolve("nginx.conf").toString(), "-s", word)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    users.close();
    nginx.descendants().forEach(ProcessHandle::destroy);
    nginx.destroy();
    application.ifPresent(server -> server.stop(0));
    threads.shutdownNow();
  }
}
