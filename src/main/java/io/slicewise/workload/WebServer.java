package io.slicewise.workload;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.TargetSchema;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One server of a sample application, and its database if the trials create it.
 *
 * @param target the page after signing in
 * @param user the user for checking the page
 * @param schema created before and dropped after each trial; empty if the application manages it
 */
record WebServer(URI target, String user, String password, Optional<TargetSchema> schema) {
  /** Returns the server for the plan's first user: the one in its properties, or the sample's. */
  static WebServer of(URI target, Map<String, String> properties, Optional<TargetSchema> schema) {
    return new WebServer(
        target,
        properties.getOrDefault("user1", "user1"),
        properties.getOrDefault("password1", "password1"),
        schema);
  }

  void setUp() {
    schema.ifPresent(TargetSchema::create);
    pageComplaint()
        .ifPresent(
            complaint -> {
              throw new SlicewiseException(
                  ErrorKind.TRIAL_FAILED,
                  complaint,
                  "check that the guests run and that the application uses the same database");
            });
  }

  /**
   * With a schema that is created for each trial there is no page yet; then any answer is accepted.
   */
  Optional<String> complaint() {
    boolean madeLater;
    try {
      schema.ifPresent(TargetSchema::check);
      madeLater = schema.isPresent() && !schema.get().exists();
    } catch (SlicewiseException fault) {
      return Optional.of(fault.getMessage());
    }
    return madeLater
        ? new Probe(target).complaint(HttpRequest.newBuilder(target), answer -> Optional.empty())
        : pageComplaint();
  }

  void tearDown() {
    schema.ifPresent(TargetSchema::drop);
  }

  private Optional<String> pageComplaint() {
    String form = "user=" + encoded(user) + "&password=" + encoded(password);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form));
    return new Probe(target).complaint(request, this::wrong);
  }

  private Optional<String> wrong(HttpResponse<String> answer) {
    if (answer.statusCode() != 200) {
      return Optional.of(
          "answers with status %s: %s"
              .formatted(
                  answer.statusCode(),
                  answer.body().replaceAll("<[^>]*>", "").lines().findFirst().orElse("")));
    }
    boolean right =
        answer.body().contains("Signed in as " + user + ".") && answer.body().contains("</html>");
    return right ? Optional.empty() : Optional.of("does not answer with its page");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

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
}
