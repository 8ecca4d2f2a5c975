package io.slicewise.lab;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** A closed load without think time on a web application, light enough to run beside it. */
final class WebUsers {
  private final URI target;
  private final HttpClient http = HttpClient.newBuilder().build();
  private final LongAdder served = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile boolean stopped;

  WebUsers(URI target) {
    this.target = target;
  }

  /** Signs in once and answers with the session's cookie. */
  String session() throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(target)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("user=user1&password=password1"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("signing in was answered with " + answer.statusCode());
    }
    return answer.headers().firstValue("set-cookie").orElseThrow().split(";", 2)[0];
  }

  /** Runs so many users for so long and answers with pages served. */
  long run(int users, Duration duration) throws IOException, InterruptedException {
    HttpRequest page = HttpRequest.newBuilder(target).header("Cookie", session()).GET().build();
    stopped = false;
    served.reset();
    failed.reset();
    List<CompletableFuture<Void>> loops = new ArrayList<>();
    for (int user = 0; user < users; user++) {
      loops.add(loop(page));
    }
    Thread.sleep(duration.toMillis());
    long count = served.sum();
    stopped = true;
    loops.forEach(CompletableFuture::join);
    return count;
  }

  long failures() {
    return failed.sum();
  }

  private CompletableFuture<Void> loop(HttpRequest page) {
    return http.sendAsync(page, HttpResponse.BodyHandlers.discarding())
        .handle(
            (answer, fault) -> {
              (fault == null && answer.statusCode() == 200 ? served : failed).increment();
              return fault == null && !stopped;
            })
        .thenCompose(again -> again ? loop(page) : CompletableFuture.completedFuture(null));
  }
}
