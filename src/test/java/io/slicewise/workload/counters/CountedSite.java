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
import java.util.Optional;
import java.util.concurrent.ExecutorService;
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

  /** What each of its requests waits. */
  public static final double WAIT_SECONDS = 0.02;

  /** Three times that between two samples: on a machine that is late, all of them are. */
  private static final double LONGEST_HOLE = 1.5;

  /** By how much the end of a window may be off by the metrics server's clock, in seconds. */
  private static final double BORDER = 0.15;

  /** The part of a rate by which the rounding of stamps to milliseconds may move it. */
  private static final double EXACT = 2e-3;

  private static final Pattern RANGE =
      Pattern.compile("query=wait_seconds_(count|sum)\\[(\\d+)ms]&time=([0-9.]+)");

  private final HttpServer server;
  private final ScheduledExecutorService work = Executors.newScheduledThreadPool(2);
  private final ExecutorService answers = Executors.newCachedThreadPool();
  private final List<Instant> served = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private long count;

  /** All that it served, which no reset takes away. */
  private long total;

  private Trouble trouble = Trouble.NONE;
  private double aheadSeconds;
  private int rush = 1;

  /**
   * What was read.
   *
   * @param stamp by the clock of the metrics server
   */
  private record Sample(double at, double stamp, long count, long total) {}

  /** What is wrong with the metrics server. */
  public enum Trouble {
    NONE,
    /** It is not there, and reads no counters. */
    AWAY,
    /** It accepts questions and does not answer. */
    MUTE,
    /** It begins an answer and does not end it. */
    HALF,
    /** It answers that it failed. */
    BROKEN,
    /** It has no samples of the site. */
    EMPTY
  }

  /** Opens the site. */
  public CountedSite() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(answers);
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
      total++;
      served.add(Instant.now());
    }
  }

  private synchronized void scrape() {
    double now = now();
    // As Prometheus, it takes no sample that is older than its last one.
    boolean newest =
        samples.isEmpty() || now + aheadSeconds > samples.get(samples.size() - 1).stamp;
    if (trouble != Trouble.AWAY && newest) {
      samples.add(new Sample(now, now + aheadSeconds, count, total));
    }
  }

  private static double now() {
    return Instant.now().toEpochMilli() / 1e3;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String query =
        URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
    Trouble now = trouble();
    if (now == Trouble.AWAY) {
      exchange.close();
      return;
    }
    awaitEndOf(Trouble.MUTE);
    byte[] body = result(query).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(now == Trouble.BROKEN ? 500 : 200, body.length);
    int begun = now == Trouble.HALF ? body.length / 2 : 0;
    exchange.getResponseBody().write(body, 0, begun);
    exchange.getResponseBody().flush();
    awaitEndOf(Trouble.HALF);
    exchange.getResponseBody().write(body, begun, body.length - begun);
    exchange.close();
  }

  private synchronized Trouble trouble() {
    return trouble;
  }

  private synchronized void awaitEndOf(Trouble one) {
    try {
      while (trouble == one) {
        wait();
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized String result(String query) {
    if (query.equals("query=time()")) {
      double stamp = now() + aheadSeconds;
      return success("scalar", Phrase.of("[%.3f,\"%.3f\"]", stamp, stamp));
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
            .filter(sample -> trouble != Trouble.EMPTY)
            .filter(sample -> sample.stamp >= start && sample.stamp <= end)
            .map(sample -> Phrase.of("[%.3f,\"%.6f\"]", sample.stamp, factor * sample.count))
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

  /**
   * Returns that a rate is not that between the first and the last sample in a window, or that
   * these leave a hole; empty if the rate is right.
   */
  public synchronized Optional<String> wrong(Window window, double rate) {
    double start = window.start().toEpochMilli() / 1e3;
    double end = window.end().toEpochMilli() / 1e3;
    List<Sample> within =
        samples.stream().filter(sample -> sample.at >= start && sample.at <= end).toList();
    double before = start;
    double hole = 0;
    for (Sample sample : within) {
      hole = Math.max(hole, sample.at - before);
      before = sample.at;
    }
    hole = Math.max(hole, end - before);
    if (within.size() < 2 || hole > LONGEST_HOLE) {
      return Optional.of(Phrase.of("%d samples with a hole of %.2f s", within.size(), hole));
    }
    double first =
        within.stream().mapToDouble(Sample::at).filter(at -> at > start + BORDER).min().orElse(end);
    double last =
        within.stream().mapToDouble(Sample::at).filter(at -> at < end - BORDER).max().orElse(start);
    boolean right =
        samples.stream()
            .filter(one -> one.at >= start - BORDER && one.at <= first)
            .anyMatch(
                one ->
                    samples.stream()
                        .filter(other -> other.at >= last && other.at <= end + BORDER)
                        .anyMatch(other -> isRate(rate, one, other)));
    return right
        ? Optional.empty()
        : Optional.of(Phrase.of("%.2f/s, and none of its samples have that growth", rate));
  }

  private static boolean isRate(double rate, Sample first, Sample last) {
    double exact = (last.total - first.total) / (last.at - first.at);
    return last.at > first.at && Math.abs(rate - exact) <= EXACT * exact;
  }

  /** From now on, something is wrong with the metrics server, or nothing is again. */
  public synchronized void trouble(Trouble next) {
    trouble = next;
    notifyAll();
  }

  /** Sets the clock of the metrics server, against this machine's. */
  public synchronized void set(double seconds) {
    aheadSeconds = seconds;
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
    answers.shutdownNow();
    server.stop(0);
  }
}
