package io.slicewise.workload.counters;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A site that counts its requests and their waits, and a server that reads these counters twice a
 * second and answers as Prometheus does. What a real one answers is in {@link RealPrometheusTest}.
 */
public final class CountedSite implements AutoCloseable {
  private static final long EVERY_MILLIS = 10;
  private static final long SCRAPED_MILLIS = 500;
  private static final double WAIT_SECONDS = 0.02;
  private static final Pattern RANGE =
      Pattern.compile("query=wait_seconds_(count|sum)\\[(\\d+)ms]&time=([0-9.]+)");

  private final HttpServer server;
  private final ScheduledExecutorService work = Executors.newScheduledThreadPool(2);
  private final List<Instant> served = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private long count;
  private boolean down;
  private int rush = 1;

  private record Sample(double at, long count) {}

  /** Opens the site. */
  public CountedSite() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/query", this::answer);
    server.start();
    ScheduledFuture<?> serving =
        work.scheduleAtFixedRate(this::serve, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    ScheduledFuture<?> scraping =
        work.scheduleAtFixedRate(this::scrape, 0, SCRAPED_MILLIS, TimeUnit.MILLISECONDS);
    if (serving.isCancelled() || scraping.isCancelled()) {
      throw new IOException("the site did not begin");
    }
  }

  private synchronized void serve() {
    for (int i = 0; i < rush; i++) {
      count++;
      served.add(Instant.now());
    }
  }

  private synchronized void scrape() {
    if (!down) {
      samples.add(new Sample(Instant.now().toEpochMilli() / 1e3, count));
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String query =
        URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
    if (isDown()) {
      exchange.close();
      return;
    }
    byte[] body = result(query).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private synchronized boolean isDown() {
    return down;
  }

  private synchronized String result(String query) {
    if (query.equals("query=time()")) {
      double now = Instant.now().toEpochMilli() / 1e3;
      return success("scalar", Phrase.of("[%.3f,\"%.3f\"]", now, now));
    }
    Matcher range = RANGE.matcher(query);
    if (!range.matches()) {
      throw new IllegalArgumentException(query);
    }
    double end = Double.parseDouble(range.group(3));
    double start = end - Long.parseLong(range.group(2)) / 1e3;
    double factor = range.group(1).equals("sum") ? WAIT_SECONDS : 1;
    String values =
        samples.stream()
            .filter(sample -> sample.at >= start && sample.at <= end)
            .map(sample -> Phrase.of("[%.3f,\"%.6f\"]", sample.at, factor * sample.count))
            .collect(Collectors.joining(","));
    return success(
        "matrix", values.isEmpty() ? "[]" : "[{\"metric\":{},\"values\":[" + values + "]}]");
  }

  private static String success(String type, String result) {
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"%s\",\"result\":%s}}"
        .formatted(type, result);
  }

  /** The lines of an experiment that reads it: requests a second, and their mean wait. */
  public String workload() {
    return """
        workload:
          name: prometheus
          server: {url: "http://127.0.0.1:%d"}
          measures:
            rate: {growth: wait_seconds_count, unit: /s, better: more}
            mean: {growth: wait_seconds_sum, per: wait_seconds_count, unit: s}
        goal: lowest outcome mean
        """
        .formatted(server.getAddress().getPort());
  }

  /** Returns the requests a second in a window. */
  public synchronized double rate(Window window) {
    return served.stream().filter(window::contains).count() / window.seconds();
  }

  /** The server does not answer, and reads no counters. */
  public synchronized void down(boolean on) {
    down = on;
  }

  /** The counters begin at 0 again, as after a restart of the site. */
  public synchronized void reset() {
    count = 0;
  }

  /** Requests come so many times as often from now on. */
  public synchronized void rush(int times) {
    rush = times;
  }

  @Override
  public void close() {
    work.shutdownNow();
    server.stop(0);
  }
}
