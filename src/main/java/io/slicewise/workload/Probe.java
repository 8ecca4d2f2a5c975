package io.slicewise.workload;

import io.slicewise.base.units.FileFault;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** One request to a target, to check that it answers correctly. */
record Probe(URI target) {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Returns what is wrong with the target, as a sentence; {@code judge} checks its answer. */
  Optional<String> complaint(
      HttpRequest.Builder request, Function<HttpResponse<String>, Optional<String>> judge) {
    try {
      HttpResponse<String> answer =
          HttpClient.newBuilder()
              .connectTimeout(LIMIT)
              .build()
              .send(request.timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
      return judge.apply(answer).map(what -> "target " + target + " " + what);
    } catch (IOException fault) {
      return Optional.of("target " + target + " does not answer: " + FileFault.reason(fault));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.of("target " + target + " did not answer before an interrupt");
    }
  }
}
