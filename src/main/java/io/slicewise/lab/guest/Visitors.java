package io.slicewise.lab.guest;

import io.slicewise.lab.guest.Scene.Visits;
import io.slicewise.lab.sim.Demands;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The visitors of a site: each comes at a random time, signs in, reads one article and does not
 * wait for the others. Their number follows given steps, or rises and falls within a minute, as
 * that of a real site does within a day.
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
  private final List<Visits> steps;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final Thread arrivals = new Thread(this::arrive, "visitors");
  private final SplittableRandom random = new SplittableRandom(1);
  private volatile boolean open = true;

  private Visitors(URI site, double rate, List<Visits> steps) {
    this.site = site;
    this.rate = rate;
    this.steps = steps;
    arrivals.setDaemon(true);
  }

  /**
   * Sends visitors to a site from now on.
   *
   * @param steps one after the other, again and again; empty for a rate that rises and falls
   */
  static Visitors of(URI site, Demands demands, List<Visits> steps) {
    double seconds =
        (demands.web().toNanos()
                + demands.database().toNanos()
                + demands.file().toNanos()
                + demands.dom0().toNanos())
            / 1e9;
    Visitors visitors = new Visitors(site, BUSY / seconds, steps);
    visitors.arrivals.start();
    return visitors;
  }

  private void arrive() {
    long began = System.nanoTime();
    double at = 0;
    try {
      while (open) {
        at += -Math.log(1 - random.nextDouble()) / perSecond(at);
        TimeUnit.NANOSECONDS.sleep(began + (long) (1e9 * at) - System.nanoTime());
        visit();
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the rate so many seconds after the first visitor. */
  private double perSecond(double at) {
    double cycle = steps.stream().mapToDouble(step -> step.time().toMillis() / 1e3).sum();
    double end = 0;
    for (Visits step : steps) {
      end += step.time().toMillis() / 1e3;
      if (at % cycle < end) {
        return step.perSecond();
      }
    }
    return rate * (1 + SWING * Math.sin(2 * Math.PI * at / DAY_SECONDS));
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
