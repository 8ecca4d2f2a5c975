package io.slicewise.workload.counters;

import io.slicewise.DebianPackages;
import io.slicewise.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Debian's Prometheus, which listens on loopback. */
public final class PrometheusProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final Path program;
  private final int port;
  private Process process;

  private PrometheusProcess(Path directory) throws Exception {
    this.directory = directory;
    program = DebianPackages.unpacked(directory, "prometheus").resolve("usr/bin/prometheus");
    port = Ports.free();
  }

  /**
   * Starts it; the test is skipped where it cannot be downloaded.
   *
   * @param jobs the lines below {@code scrape_configs}
   */
  public static PrometheusProcess start(Path directory, String jobs) throws Exception {
    PrometheusProcess started = new PrometheusProcess(Files.createDirectories(directory));
    Files.writeString(directory.resolve("prometheus.yml"), "scrape_configs:\n" + jobs);
    started.restart();
    return started;
  }

  /** Starts it again after it was stopped, with its data. */
  public void restart() throws IOException {
    process =
        new ProcessBuilder(
                program.toString(),
                "--config.file=" + directory.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve("prometheus.out").toFile()))
            .start();
    Awaitility.await().atMost(PATIENCE).until(this::isReady);
  }

  private boolean isReady() {
    try (var in = URI.create(url() + "/-/ready").toURL().openStream()) {
      return in.readAllBytes().length > 0;
    } catch (IOException notYet) {
      return false;
    }
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** Stops it, and waits until it has ended. */
  public void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }
}
