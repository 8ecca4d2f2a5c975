package io.slicewise.workload.counters;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.counters.Counters.Growths;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Debian's Prometheus, which reads a server that counts its own requests at 1, 5 and 15 s: the
 * growth in a window is what the server counted, and a reset, a silence and the end of either make
 * no number.
 */
@MeasuresInRealTime
@Tag("nightly")
class RealPrometheusTest {
  @TempDir private Path directory;

  private final Random random = new Random(11);
  private final List<Instant> scraped = new ArrayList<>();
  private HttpServer site;
  private Thread serving;
  private volatile boolean open = true;
  private volatile boolean silent;
  private long count;
  private double seconds;
  private PrometheusProcess prometheus;

  @BeforeEach
  void start() throws Exception {
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext(
        "/metrics",
        exchange -> {
          byte[] text = metrics().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(silent ? 503 : 200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    site.start();
    serving = new Thread(this::serve, "site");
    serving.start();
    String jobs =
        Stream.of(1, 5, 15)
            .map(
                every ->
                    " - {job_name: every_%ds, scrape_interval: %ds, scrape_timeout: 1s, static_configs: [{targets: ['127.0.0.1:%d']}]}\n"
                        .formatted(every, every, site.getAddress().getPort()))
            .reduce("", String::concat);
    prometheus = PrometheusProcess.start(directory, jobs);
  }

  private synchronized String metrics() {
    scraped.add(Instant.now());
    return Phrase.of(
        "# TYPE wait_seconds summary\nwait_seconds_sum %.6f\nwait_seconds_count %d\n",
        seconds, count);
  }

  /** Counts some 200 requests a second, whose waits follow a lognormal distribution. */
  private void serve() {
    try {
      while (open) {
        TimeUnit.NANOSECONDS.sleep((long) (-5e6 * Math.log(1 - random.nextDouble())));
        synchronized (this) {
          count++;
          seconds += 0.02 * Math.exp(0.5 * random.nextGaussian());
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void end() throws Exception {
    open = false;
    if (prometheus != null) {
      prometheus.close();
    }
    if (serving != null) {
      serving.join();
      site.stop(0);
    }
  }

  private Workload workload(int every) {
    String labels = "{job=\"every_%ds\"}".formatted(every);
    Map<String, Object> measures = new HashMap<>();
    measures.put("rate", Map.of("growth", "wait_seconds_count" + labels, "better", "more"));
    measures.put(
        "mean",
        Map.of("growth", "wait_seconds_sum" + labels, "per", "wait_seconds_count" + labels));
    return Workloads.of(
        "prometheus",
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Map.of("server", Map.of("url", prometheus.url()), "measures", measures));
  }

  private static double value(Growths growths, String name) {
    return growths.measures().stream()
        .filter(measure -> measure.name().equals(name))
        .findFirst()
        .orElseThrow()
        .value();
  }

  /** What the site counted at an instant. */
  private record Truth(Instant at, long count, double seconds) {}

  private synchronized Truth truth() {
    return new Truth(Instant.now(), count, seconds);
  }

  private static void pause(double seconds) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(Math.round(1e3 * seconds));
  }

  @Test
  void growsAsTheSiteCountsAndMakesNoNumberOfWhatIsMissing() throws Exception {
    List<Counters> all = List.of(counters(1), counters(5), counters(15));
    pause(50);
    all.forEach(counters -> assertThat(counters.complaint()).isEmpty());
    for (int round = 0; round < 3; round++) {
      all.forEach(Counters::begin);
      Truth from = truth();
      pause(31);
      Truth to = truth();
      List<Counters.Reading> readings = all.stream().map(Counters::end).toList();
      for (Counters.Reading reading : readings) {
        Growths grown = reading.in(new Window(from.at(), to.at()));
        assertThat(grown.faults()).isEmpty();
        double seconds = Duration.between(from.at(), to.at()).toNanos() / 1e9;
        double rate = (to.count() - from.count()) / seconds;
        double mean = (to.seconds() - from.seconds()) / (to.count() - from.count());
        System.out.printf(
            "growth of %d s: rate %+.2f %%, mean %+.2f %%%n",
            List.of(1, 5, 15).get(readings.indexOf(reading)),
            100 * (value(grown, "rate") / rate - 1),
            100 * (value(grown, "mean") / mean - 1));
        // The whole window: its ends outside of the stamps are 200 requests a second of chance.
        assertThat(value(grown, "rate")).isBetween(0.9 * rate, 1.1 * rate);
        assertThat(value(grown, "mean")).isBetween(0.95 * mean, 1.05 * mean);
      }
    }
    Counters second = all.get(0);
    reset(second);
    silence(second);
    second.begin();
    Instant began = Instant.now();
    pause(4);
    Window window = new Window(began, Instant.now());
    prometheus.stop();
    assertThat(second.end().in(window).faults()).singleElement().asString().contains("not answer");
    assertThat(second.complaint().orElseThrow()).contains("does not answer");
  }

  private Counters counters(int every) {
    return workload(every).counters().orElseThrow();
  }

  private void reset(Counters second) throws InterruptedException {
    second.begin();
    Instant began = Instant.now();
    pause(4);
    synchronized (this) {
      count = 0;
      seconds = 0;
    }
    pause(6);
    assertThat(second.end().in(new Window(began, Instant.now())).faults())
        .isNotEmpty()
        .allMatch(fault -> fault.contains("was reset"));
  }

  private void silence(Counters second) throws InterruptedException {
    second.begin();
    Instant began = Instant.now();
    pause(3);
    silent = true;
    pause(5);
    silent = false;
    pause(3);
    assertThat(second.end().in(new Window(began, Instant.now())).faults())
        .isNotEmpty()
        .allMatch(fault -> fault.contains("was not read for"));
  }
}
