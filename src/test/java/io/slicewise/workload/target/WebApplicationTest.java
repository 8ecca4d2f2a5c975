package io.slicewise.workload.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import io.slicewise.workload.target.WebApplication.Step;
import io.slicewise.workload.target.WebApplication.WebAppSchema;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The page needs a session, three real statements and two real files, and waits for its pace. */
@ExtendWith(FreshDatabase.class)
class WebApplicationTest {
  private static final String LOG_ROWS = "SELECT count(*) FROM slicewise_web_app.log";

  @TempDir Path files;
  private final HttpClient browser =
      HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  private Database database;

  @BeforeEach
  void prepare(Database fresh) {
    database = fresh;
    PageFiles.createMissing(files);
  }

  @Test
  void servesTheWholePageAndLogsTheVisit() throws Exception {
    try (SampleApplication application = start(Pace.free())) {
      HttpResponse<String> page = signIn(application.uri(), "user3", "password3");

      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body())
          .startsWith("<!DOCTYPE html>")
          .contains("<h1>Article 1</h1>", "Signed in as user3.")
          .endsWith("</html>\n");
      assertThat(page.body().length()).isBetween(4_500, 5_500);
      assertThat(Rows.count(database, LOG_ROWS + " WHERE user_name = 'user3'")).isEqualTo(1);
    }
  }

  @Test
  void answersTheSessionWithoutAnotherSignIn() throws Exception {
    try (SampleApplication application = start(Pace.free())) {
      signIn(application.uri(), "user1", "password1");

      HttpResponse<String> page = get(application.uri().resolve("?article=7"));

      assertThat(page.body()).contains("<h1>Article 7</h1>", "Signed in as user1.");
      assertThat(Rows.count(database, LOG_ROWS)).isEqualTo(2);
    }
  }

  @Test
  void refusesStrangersAndWrongPasswords() throws Exception {
    try (SampleApplication application = start(Pace.free())) {
      assertThat(get(application.uri()).statusCode()).isEqualTo(401);
      assertThat(signIn(application.uri(), "user1", "password2").statusCode()).isEqualTo(401);
      assertThat(get(application.uri()).statusCode()).isEqualTo(401);
      assertThat(Rows.count(database, LOG_ROWS)).isZero();
    }
  }

  @Test
  void readsTheFilesAnewForEveryPage() throws Exception {
    try (SampleApplication application = start(Pace.free())) {
      signIn(application.uri(), "user1", "password1");
      Files.writeString(files.resolve("footer.html"), "changed meanwhile");

      assertThat(get(application.uri()).body()).endsWith("changed meanwhile");
    }
  }

  @Test
  void goesThroughEveryStepInOrder() throws Exception {
    List<Step> steps = new CopyOnWriteArrayList<>();
    Pace<Step> recorded =
        step -> {
          steps.add(step);
          return CompletableFuture.completedFuture(null);
        };
    try (SampleApplication application = start(recorded)) {
      signIn(application.uri(), "user1", "password1");
    }
    assertThat(steps).containsExactly(Step.values());
  }

  @Test
  void holdsNoThreadWhileManyPagesWaitForTheirPace() throws Exception {
    int users = 100;
    Map<Step, CompletableFuture<Void>> gates = new ConcurrentHashMap<>();
    CompletableFuture<Void> allWait = new CompletableFuture<>();
    List<Step> waiting = new CopyOnWriteArrayList<>();
    Pace<Step> gated =
        step -> {
          if (step == Step.CONTENT_QUERY) {
            waiting.add(step);
            if (waiting.size() == users) {
              allWait.complete(null);
            }
            return gates.computeIfAbsent(step, key -> new CompletableFuture<>());
          }
          return CompletableFuture.completedFuture(null);
        };
    try (SampleApplication application = start(gated)) {
      List<CompletableFuture<HttpResponse<String>>> pages =
          IntStream.range(0, users)
              .mapToObj(
                  user ->
                      HttpClient.newHttpClient()
                          .sendAsync(
                              form(application.uri(), "user1", "password1"),
                              HttpResponse.BodyHandlers.ofString()))
              .toList();
      allWait.get(20, TimeUnit.SECONDS);
      assertThat(pages).noneMatch(CompletableFuture::isDone);

      gates.get(Step.CONTENT_QUERY).complete(null);

      for (CompletableFuture<HttpResponse<String>> page : pages) {
        assertThat(page.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void goesOnServingWhenTheSchemaIsMadeAnewUnderIt() throws Exception {
    try (SampleApplication application = start(Pace.free())) {
      for (int i = 0; i < 100; i++) {
        signIn(application.uri(), "user1", "password1");
      }
      TargetSchema schema = WebAppSchema.of(database);
      schema.drop();
      assertThat(get(application.uri()).statusCode()).isEqualTo(503);
      schema.create();

      assertThat(get(application.uri()).statusCode()).isEqualTo(200);
      assertThat(Rows.count(database, LOG_ROWS)).isEqualTo(1);
    }
  }

  @Test
  void dropsTheSchemaItMadeAndLeavesOneItFound() {
    TargetSchema schema = WebAppSchema.of(database);
    start(Pace.free()).close();
    assertThat(schema.exists()).isFalse();

    schema.create();
    start(Pace.free()).close();
    assertThat(schema.exists()).isTrue();
  }

  @Test
  void namesTheFileThatIsMissing() throws IOException {
    Files.delete(files.resolve("footer.html"));

    assertThatThrownBy(() -> start(Pace.free()))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("footer.html");
  }

  @Test
  void namesThePortThatIsTakenAndLeavesNothingBehind() {
    TargetSchema schema = WebAppSchema.of(database);
    try (SampleApplication first = start(Pace.free())) {
      schema.drop();
      TargetOptions local = TargetOptions.local(database, files);
      TargetOptions taken =
          new TargetOptions(local.host(), first.uri().getPort(), database, files, 1);

      assertThatThrownBy(() -> WebApplication.start(taken))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("port " + first.uri().getPort());
      assertThat(schema.exists()).isFalse();
    }
  }

  private SampleApplication start(Pace<Step> pace) {
    return WebApplication.start(TargetOptions.local(database, files), pace);
  }

  private HttpResponse<String> signIn(URI uri, String user, String password) throws Exception {
    return browser.send(form(uri, user, password), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(URI uri) throws Exception {
    return browser.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest form(URI uri, String user, String password) {
    return HttpRequest.newBuilder(uri)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString("user=" + user + "&password=" + password))
        .build();
  }
}
