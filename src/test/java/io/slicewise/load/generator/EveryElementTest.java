package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.lab.guest.QuietMail;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.jmeter.save.CSVSaveService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the class path that was cut down: a plan with every common element of JMeter runs in a
 * real generator against real servers, and nothing in it misses a class.
 */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
abstract class EveryElementTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int LABEL = 2;
  private static final int MESSAGE = 4;
  private static final int SUCCESS = 7;

  @TempDir private Path directory;

  @Test
  void runsEveryCommonElement(Database database) throws Exception {
    Path plan = directory.resolve("every-element.jmx");
    try (InputStream packed = getClass().getResourceAsStream("every-element.jmx")) {
      Files.copy(packed, plan);
    }
    HttpServer web = web();
    GreenMail mail =
        QuietMail.start(
            server -> server.setUser("anna@mail.example", "anna", "key"), "smtp", "imap");
    try (ServerSocket echo = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> answerOnce(echo));
      Map<String, String> properties =
          Map.of(
              "host", "127.0.0.1",
              "port", Integer.toString(web.getAddress().getPort()),
              "names", Files.writeString(directory.resolve("names.csv"), "anna,berta\n").toString(),
              "database", database.url(),
              "database-user", database.user(),
              "smtp-port", Integer.toString(mail.getSmtp().getPort()),
              "imap-port", Integer.toString(mail.getImap().getPort()),
              "tcp-port", Integer.toString(echo.getLocalPort()));
      List<String[]> samples =
          run(
              new LoadRequest(
                  plan,
                  1,
                  1,
                  Duration.ZERO,
                  LIMIT,
                  properties,
                  Map.of("database-password", database.password()),
                  directory));
      assertAllRan(samples);
      answer.join();
    } finally {
      web.stop(0);
      mail.stop();
    }
  }

  private void assertAllRan(List<String[]> samples) throws IOException {
    assertThat(samples)
        .filteredOn(sample -> !sample[LABEL].equals("resolved"))
        .allSatisfy(
            sample -> assertThat(sample[SUCCESS]).as(String.join(",", sample)).isEqualTo("true"));
    assertThat(samples)
        .extracting(sample -> sample[LABEL])
        .contains("xml", "json", "html", "post", "upload", "closed", "by name", "by java")
        .contains("packed", "create", "insert", "select", "send", "read", "tcp", "groovy", "java")
        .contains("debug", "in if", "in if jexl", "in loop", "in for each", "in while")
        .contains("in switch", "in once", "in random", "in share", "in section", "transaction");
    // No server of that name: the resolver was asked and its answer understood.
    assertThat(samples)
        .filteredOn(sample -> sample[LABEL].equals("resolved"))
        .singleElement()
        .satisfies(sample -> assertThat(sample[MESSAGE]).contains("asked.example"));
    String log = Files.readString(directory.resolve("jmeter.log"));
    assertThat(log)
        .doesNotContain("NoClassDefFoundError", "ClassNotFoundException", "NoSuchMethodError")
        .doesNotContain("LinkageError", "AbstractMethodError", "NoSuchFieldError");
  }

  private List<String[]> run(LoadRequest request) throws IOException {
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> !load.isAlive());
      Path samples = load.stop().generators().get(0).samples();
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(Files.newInputStream(samples)), StandardCharsets.UTF_8))) {
        List<String[]> rows = new ArrayList<>();
        assertThat(CSVSaveService.csvReadFile(in, ',')[LABEL]).isEqualTo("label");
        for (String[] row = CSVSaveService.csvReadFile(in, ',');
            row.length > 0;
            row = CSVSaveService.csvReadFile(in, ',')) {
          rows.add(row);
        }
        return rows;
      }
    }
  }

  private static void answerOnce(ServerSocket echo) {
    try (Socket caller = echo.accept()) {
      caller.getOutputStream().write("hello\n".getBytes(StandardCharsets.UTF_8));
      caller.getOutputStream().flush();
      assertThat(caller.getInputStream().read()).isEqualTo('h');
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static HttpServer web() throws IOException {
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    Map<String, String> pages = new HashMap<>();
    pages.put("/xml", "<shop><item id='1'>pear</item><item id='2'>plum</item></shop>");
    pages.put(
        "/json",
        "{\"user\":\"anna\",\"items\":[{\"n\":1,\"name\":\"pear\"},{\"n\":2,\"name\":\"plum\"}]}");
    pages.put(
        "/html",
        """
        <!DOCTYPE html><html><head><title>Shop</title><link rel="stylesheet" href="/style.css"></head>
        <body><h1>Shop</h1><a class="next" href="/json">next</a><img src="/picture" alt=""></body></html>
        """);
    pages.put("/style.css", "h1 { background: url('/picture') }");
    pages.put("/picture", "x");
    pages.forEach((path, text) -> web.createContext(path, exchange -> send(exchange, text)));
    web.createContext(
        "/form",
        exchange ->
            send(
                exchange,
                String.valueOf(exchange.getRequestHeaders().getFirst("Cookie")).contains("basket")
                    ? "cookie seen"
                    : "no cookie"));
    web.createContext(
        "/packed",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Encoding", "gzip");
          send(exchange, packed("packed well"));
        });
    web.createContext("/closed", exchange -> send(exchange, "welcome anna"))
        .setAuthenticator(
            new BasicAuthenticator("shop") {
              @Override
              public boolean checkCredentials(String user, String password) {
                return user.equals("anna") && password.equals("key");
              }
            });
    web.start();
    return web;
  }

  private static void send(HttpExchange exchange, String text) throws IOException {
    send(exchange, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, byte[] body) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Set-Cookie", "basket=1; Path=/");
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/picture")) {
      exchange.getResponseHeaders().set("Cache-Control", "max-age=60");
    }
    exchange
        .getResponseHeaders()
        .set(
            "Content-Type",
            path.equals("/html")
                ? "text/html"
                : path.equals("/style.css") ? "text/css" : "text/plain");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static byte[] packed(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
