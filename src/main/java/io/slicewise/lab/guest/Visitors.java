package io.slicewise.lab.guest;

import io.slicewise.lab.sim.Demands;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The visitors of a site: each comes at a random time, signs in, reads one article and does not
 * wait for the others. Their number rises and falls within a minute, as that of a real site does
 * within a day.
 */
final class Visitors implements AutoCloseable {
  /** The CPU time that they need in all guests together, in pCPUs. */
  private static final double BUSY = 1.2;

  private static final double SWING = 0.2;
  private static final double DAY_SECONDS = 60;
  private static final int ARTICLES = 10;
  private static final int USERS = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final URI site;
  private final double rate;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final Thread arrivals = new Thread(this::arrive, "visitors");
  private final SplittableRandom random = new SplittableRandom(1);
  private volatile boolean open = true;

  private Visitors(URI site, double rate) {
    this.site = site;
    this.rate = rate;
    arrivals.setDaemon(true);
  }

  /** Sends visitors to a site from now on. */
  static Visitors of(URI site, Demands demands) {
    double seconds =
        (demands.web().toNanos()
                + demands.database().toNanos()
                + demands.file().toNanos()
                + demands.dom0().toNanos())
            / 1e9;
    Visitors visitors = new Visitors(site, BUSY / seconds);
    visitors.arrivals.start();
    return visitors;
  }

  private void arrive() {
    long began = System.nanoTime();
    double at = 0;
    try {
      while (open) {
        double now = rate * (1 + SWING * Math.sin(2 * Math.PI * at / DAY_SECONDS));
        at += -Math.log(1 - random.nextDouble()) / now;
        TimeUnit.NANOSECONDS.sleep(began + (long) (1e9 * at) - System.nanoTime());
        visit();
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void visit() {
    int user = 1 + random.nextInt(USERS);
    HttpRequest request =
        HttpRequest.newBuilder(site.resolve("/?article=" + (1 + random.nextInt(ARTICLES))))
            .timeout(PATIENCE)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "user=user%d&password=password%d".formatted(user, user)))
            .build();
    // What a visitor sees is in the site's log; nobody here asks.
    CompletableFuture<HttpResponse<Void>> unused =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
  }

  @Override
  public void close() {
    open = false;
    arrivals.interrupt();
    try {
      arrivals.join(PATIENCE.toMillis());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
