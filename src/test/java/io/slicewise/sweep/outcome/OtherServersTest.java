package io.slicewise.sweep.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.DebianPackages;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.Ports;
import io.slicewise.base.units.Window;
import io.slicewise.load.access.AccessLog;
import io.slicewise.load.access.LineFormats;
import io.slicewise.load.access.LoggedWindow;
import io.slicewise.load.access.Selection;
import io.slicewise.run.result.LoadResult;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Apache, HAProxy and Caddy of Debian, before an application of a test: every request of a window
 * is counted, and the p95 is that of the durations in the log.
 */
@MeasuresInRealTime
@Tag("nightly")
class OtherServersTest {
  private static final int REQUESTS = 600;
  private static final int USERS = 6;

  @TempDir private Path directory;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer application;
  private Optional<Process> server = Optional.empty();
  private int port;

  @BeforeEach
  void begin() throws IOException {
    application = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    application.setExecutor(threads);
    application.createContext(
        "/",
        exchange -> {
          pause(exchange.getRequestURI().hashCode() & 15);
          byte[] page = "page".getBytes(StandardCharsets.US_ASCII);
          int status = exchange.getRequestURI().getPath().startsWith("/err") ? 503 : 200;
          exchange.sendResponseHeaders(status, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    application.start();
    port = Ports.free();
  }

  @AfterEach
  void end() throws InterruptedException {
    server.ifPresent(
        process -> {
          process.descendants().forEach(ProcessHandle::destroy);
          process.destroy();
        });
    if (server.isPresent()) {
      server.get().waitFor(20, TimeUnit.SECONDS);
    }
    application.stop(0);
    threads.shutdownNow();
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private Path unpacked(String... packages) throws Exception {
    return DebianPackages.unpacked(directory, packages);
  }

  private Path log() {
    return directory.resolve("access.log");
  }

  private int behind() {
    return application.getAddress().getPort();
  }

  private void serve(Path root, Path output, String... command) throws IOException {
    ProcessBuilder process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(directory.resolve("server.err").toFile())
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    process
        .environment()
        .put("LD_LIBRARY_PATH", root.resolve("usr/lib/x86_64-linux-gnu").toString());
    server = Optional.of(process.start());
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Ports.listens(port));
  }

  @Test
  void countsWhatApacheServes() throws Exception {
    Path root = unpacked("apache2-bin", "libapr1", "libaprutil1");
    Path modules = root.resolve("usr/lib/apache2/modules");
    Files.writeString(
        directory.resolve("apache.conf"),
        """
        ServerRoot %1$s
        ServerName site.example
        PidFile %1$s/pid
        DefaultRuntimeDir %1$s
        Listen 127.0.0.1:%2$d
        LoadModule mpm_event_module %3$s/mod_mpm_event.so
        LoadModule authz_core_module %3$s/mod_authz_core.so
        LoadModule proxy_module %3$s/mod_proxy.so
        LoadModule proxy_http_module %3$s/mod_proxy_http.so
        User nobody
        Group nogroup
        ErrorLog %1$s/error.log
        %4$s
        ProxyPass / http://127.0.0.1:%5$d/
        """
            .formatted(
                directory,
                port,
                modules,
                LineFormats.advice("apache", log().toString()).orElseThrow(),
                behind()));
    serve(
        root,
        directory.resolve("server.out"),
        root.resolve("usr/sbin/apache2").toString(),
        "-DFOREGROUND",
        "-f",
        directory.resolve("apache.conf").toString());
    check("apache", Pattern.compile("^\\d+ \\d+ (\\d+) "), 1e3);
  }

  @Test
  void countsWhatHaproxyServes() throws Exception {
    Path root = unpacked("haproxy", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1");
    Files.writeString(
        directory.resolve("haproxy.cfg"),
        """
        global
          log stdout format raw local0
        defaults
          mode http
          log global
          %s
          timeout connect 5s
          timeout client 60s
          timeout server 60s
        frontend site
          bind 127.0.0.1:%d
          default_backend app
        backend app
          server s1 127.0.0.1:%d
        """
            .formatted(
                LineFormats.advice("haproxy", log().toString()).orElseThrow(), port, behind()));
    serve(
        root,
        log(),
        root.resolve("usr/sbin/haproxy").toString(),
        "-db",
        "-f",
        directory.resolve("haproxy.cfg").toString());
    check("haproxy", Pattern.compile("] \\S+ \\S+ \\d+/\\d+/\\d+/\\d+/(\\d+) "), 1);
  }

  @Test
  void countsWhatCaddyServes() throws Exception {
    Path root = unpacked("caddy");
    // Caddy creates it with its first line.
    Files.writeString(log(), "");
    Files.writeString(
        directory.resolve("Caddyfile"),
        """
        {
          admin off
          auto_https off
          storage file_system %1$s/store
        }
        http://:%2$d {
          bind 127.0.0.1
          %3$s
          reverse_proxy 127.0.0.1:%4$d
        }
        """
            .formatted(
                directory,
                port,
                LineFormats.advice("caddy", log().toString()).orElseThrow(),
                behind()));
    serve(
        root,
        directory.resolve("server.out"),
        root.resolve("usr/bin/caddy").toString(),
        "run",
        "--config",
        directory.resolve("Caddyfile").toString(),
        "--adapter",
        "caddyfile");
    check("caddy", Pattern.compile("\"duration\":([0-9.e-]+)"), 1e-3);
  }

  /**
   * Sends requests in a window, and compares.
   *
   * @param duration where the log has a duration, and how many of its units are a millisecond
   */
  private void check(String format, Pattern duration, double unit) throws Exception {
    LineFormats formats = new LineFormats(format, Optional.empty(), Map.of(), Optional.empty());
    try (AccessLog log =
        AccessLog.follow(
            Shells::local,
            log().toString(),
            formats,
            new Selection(Map.of(), Map.of(), Selection.DOWNLOAD, Map.of()))) {
      log.awaitBegun();
      pause(300);
      Instant began = Instant.now();
      long failed = visit();
      Window window = new Window(began, Instant.now());
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(millis(duration, unit)).hasSize(REQUESTS));
      double[] millis = millis(duration, unit);
      // The site is visited after the window, too: a log that falls silent is not trusted.
      Future<?> later = threads.submit(this::visitOn);
      LoggedWindow logged = log.read(window);
      later.cancel(true);
      assertThat(logged.faults()).as(log() + "").isEmpty();
      assertThat(logged.requests()).hasSize(REQUESTS);
      assertThat(logged.unread()).isZero();
      LoadResult result =
          new TrafficResult(logged, window, log.labels(), log.resolutionMicros()).load();
      assertThat(result.failed()).isEqualTo(failed);
      double exact = millis[(int) Math.ceil(0.95 * REQUESTS) - 1];
      assertThat(result.p95Millis()).isCloseTo(exact, within(1.1 * log.resolutionMicros() / 1e3));
      System.out.printf(
          "%s: %d requests, p95 %.3f ms, in the log %.3f ms%n",
          format, result.samples(), result.p95Millis(), exact);
    }
  }

  /** Returns the durations in the log, in order. */
  private double[] millis(Pattern duration, double unit) throws IOException {
    return Files.readAllLines(log(), StandardCharsets.ISO_8859_1).stream()
        .map(duration::matcher)
        .filter(Matcher::find)
        .mapToDouble(found -> Double.parseDouble(found.group(1)) / unit)
        .sorted()
        .toArray();
  }

  private Void visitOn() throws Exception {
    HttpClient client = HttpClient.newBuilder().executor(threads).build();
    while (!Thread.currentThread().isInterrupted()) {
      client.send(request("page", 0), HttpResponse.BodyHandlers.discarding());
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return null;
  }

  private HttpRequest request(String page, int number) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d/%s/%d?q=%%22%%5C".formatted(port, page, number)))
        .build();
  }

  private long visit() throws Exception {
    HttpClient client = HttpClient.newBuilder().executor(threads).build();
    Callable<Long> user =
        () -> {
          long failed = 0;
          Random random = new Random();
          for (int i = 0; i < REQUESTS / USERS; i++) {
            pause(random.nextInt(30));
            String page = i % 20 == 0 ? "err" : "page";
            HttpResponse<String> answer =
                client.send(request(page, i), HttpResponse.BodyHandlers.ofString());
            failed += answer.statusCode() == 503 ? 1 : 0;
          }
          return failed;
        };
    long failed = 0;
    for (Future<Long> ended : threads.invokeAll(Collections.nCopies(USERS, user))) {
      failed += ended.get();
    }
    return failed;
  }
}
