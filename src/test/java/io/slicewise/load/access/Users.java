package io.slicewise.load.access;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Users of a site of whom nothing else knows, and who remember when each of their requests began
 * and ended. They come at random, however long the site takes.
 */
public final class Users implements AutoCloseable {
  private static final int PAGES = 100;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final IntFunction<HttpRequest> requests;
  private final Queue<Visit> visits = new ConcurrentLinkedQueue<>();
  private volatile boolean open = true;
  private volatile double rate;

  /** What a user saw. */
  public record Visit(Instant sent, Instant answered, int status) {}

  /**
   * Lets them come.
   *
   * @param requests the request for a page, by its number below 100
   * @param rate how many come in a second
   */
  public Users(IntFunction<HttpRequest> requests, double rate) {
    this.requests = requests;
    this.rate = rate;
    threads.execute(this::visit);
  }

  /** Returns a page view of the web application, at a port of this machine. */
  public static HttpRequest pageView(int port, int number) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d/?article=%d".formatted(port, 1 + number % 10)))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString("user=user1&password=password1"))
        .build();
  }

  /** Lets the users come that many times a second from now on. */
  void arrive(double times) {
    rate = times;
  }

  private void visit() {
    HttpClient client = HttpClient.newBuilder().executor(threads).build();
    while (open) {
      double seconds = -Math.log(1 - ThreadLocalRandom.current().nextDouble()) / rate;
      try {
        TimeUnit.NANOSECONDS.sleep((long) (1e9 * seconds));
      } catch (InterruptedException stopped) {
        return;
      }
      HttpRequest request = requests.apply(ThreadLocalRandom.current().nextInt(PAGES));
      Instant sent = Instant.now();
      CompletableFuture<Void> unused =
          client
              .sendAsync(request, HttpResponse.BodyHandlers.discarding())
              .thenAccept(
                  answer -> visits.add(new Visit(sent, Instant.now(), answer.statusCode())));
    }
  }

  /** The visits that have ended. */
  public List<Visit> visits() {
    return List.copyOf(visits);
  }

  @Override
  public void close() {
    open = false;
    threads.shutdownNow();
  }
}
