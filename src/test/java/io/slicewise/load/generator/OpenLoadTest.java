package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.load.generator.GeneratorHealth.Arrivals;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects open loads: as many requests as asked for, at times that the seed decides and the server
 * cannot delay, each counted from when it was due; what cannot be sent is counted, too.
 */
@KeepsTheMachineBusy
@Tag("thorough")
class OpenLoadTest {
  private static final Path WEB_APP =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "web-app.jmx");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final AtomicLong asked = new AtomicLong();
  private final Semaphore open = new Semaphore(0);
  private volatile boolean stalls;
  private HttpServer server;
  private ExecutorService workers;

  @AfterEach
  void stop() {
    open.release(1_000_000);
    server.stop(0);
    workers.shutdownNow();
  }

  /** A server of many workers that answers at once, or when it is let to. */
  private void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
    workers = Executors.newCachedThreadPool();
    server.setExecutor(workers);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          asked.incrementAndGet();
          if (stalls) {
            open.acquireUninterruptibly();
          }
          byte[] page = "Signed in as user. </html>".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
  }

  private LoadRequest request(String name, int users, double rate, long seed) throws IOException {
    Map<String, String> properties = new HashMap<>();
    properties.put("host", "127.0.0.1");
    properties.put("port", Integer.toString(server.getAddress().getPort()));
    properties.put(LoadRequest.RATE, Double.toString(rate));
    properties.put(LoadRequest.SEED, Long.toString(seed));
    Path its = Files.createDirectory(directory.resolve(name));
    return new LoadRequest(WEB_APP, users, Duration.ZERO, LIMIT, properties, its);
  }

  private GeneratorOutput sent(LoadRequest request, int samples) {
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      RunningLoad load = prepared.begin();
      load.beginWindow();
      await().atMost(LIMIT).until(() -> load.progress().samples() >= samples);
      return load.stop().generators().get(0);
    }
  }

  @Test
  void arrivalsAreAtTheRateAndTheSameForASeed() throws IOException {
    serve();
    List<Long> first = due(sent(request("first", 20, 50, 7), 250));
    List<Long> again = due(sent(request("again", 20, 50, 7), 250));
    List<Long> other = due(sent(request("other", 20, 50, 8), 250));

    double seconds = (first.get(first.size() - 1) - first.get(0)) / 1e3;
    double expected = 50 * seconds;
    assertThat((double) first.size())
        .as("arrivals in %s s", seconds)
        .isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
    long shortGaps =
        IntStream.range(1, 200).filter(i -> first.get(i) - first.get(i - 1) < 10).count();
    assertThat(shortGaps / 199.0)
        .as("part of exponential gaps below half of their mean, which is 0.39")
        .isBetween(0.25, 0.55);
    assertThat(differences(first, again)).as("the same seed").isLessThan(10);
    assertThat(differences(first, other)).as("another seed").isGreaterThan(20);
  }

  /**
   * The median difference between the n-th arrivals of two loads, in ms, without the one between
   * their starts; a busy machine may drop some of the first.
   */
  private static long differences(List<Long> one, List<Long> other) {
    return IntStream.range(-10, 11)
        .mapToLong(
            shift -> {
              long[] apart =
                  IntStream.range(20, 200)
                      .mapToLong(i -> other.get(i + shift) - one.get(i))
                      .toArray();
              long middle = median(apart);
              return median(LongStream.of(apart).map(d -> Math.abs(d - middle)).toArray());
            })
        .min()
        .orElseThrow();
  }

  private static long median(long[] values) {
    return LongStream.of(values).sorted().toArray()[values.length / 2];
  }

  @Test
  void aStallIsInTheTimesOfAllWhoCameMeanwhile() throws Exception {
    serve();
    LoadRequest request = request("stalled", 1, 20, 3);
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> load.progress().samples() > 40);
      load.beginWindow();
      stalls = true;
      long before = asked.get();
      await().atMost(LIMIT).pollDelay(Duration.ofMillis(1)).until(() -> asked.get() > before);
      await().pollDelay(Duration.ofMillis(700)).until(() -> true);
      stalls = false;
      open.release();
      long then = load.progress().samples();
      await().atMost(LIMIT).until(() -> load.progress().samples() > then + 40);
      GeneratorOutput output = load.stop().generators().get(0);

      List<Long> slow = elapsed(output).stream().filter(millis -> millis > 100).toList();
      assertThat(slow)
          .as("one request was stalled; the others waited for the only user")
          .hasSizeGreaterThan(4)
          .allMatch(millis -> millis < 2_000);
      Arrivals arrivals = output.health().arrivals().orElseThrow();
      assertThat(arrivals.lateP99Millis()).isGreaterThan(100);
      assertThat(arrivals.started()).isGreaterThan(40);
      assertThat(arrivals.passes().orElseThrow().ended())
          .as("the only user has one pass at a time")
          .isBetween(arrivals.started() - 1, arrivals.started() + 1);
    }
  }

  @Test
  void arrivalsWithoutAUserForASecondAreDropped() throws Exception {
    serve();
    LoadRequest request = request("dropped", 2, 40, 5);
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> load.progress().samples() > 40);
      stalls = true;
      long before = asked.get();
      await().atMost(LIMIT).until(() -> asked.get() >= before + 2);
      load.beginWindow();
      await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
      Arrivals arrivals = load.stop().generators().get(0).health().arrivals().orElseThrow();
      assertThat(arrivals.started()).as("both users are held").isZero();
      assertThat(arrivals.lateP99Millis()).isNaN();
      assertThat(arrivals.dropped())
          .as("40 a second for 3 to 4 s, and those that waited at the window's start")
          .isBetween(80L, 260L);
      assertThat(arrivals.droppedShare()).isEqualTo(1);
    }
  }

  @Test
  void aClosedLoadHasNoArrivals() throws IOException {
    serve();
    LoadRequest closed = request("closed", 2, 0, 5);
    assertThat(sent(closed, 50).health().arrivals()).isEmpty();
  }

  private static List<Long> due(GeneratorOutput output) throws IOException {
    return rows(output).stream().map(row -> Long.valueOf(row[0])).sorted().toList();
  }

  private static List<Long> elapsed(GeneratorOutput output) throws IOException {
    return rows(output).stream().map(row -> Long.valueOf(row[1])).toList();
  }

  private static List<String[]> rows(GeneratorOutput output) throws IOException {
    try (InputStream file = Files.newInputStream(output.samples());
        GZIPInputStream in = new GZIPInputStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .skip(1)
          .map(row -> row.split(",", -1))
          .toList();
    }
  }
}
