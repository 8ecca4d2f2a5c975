package io.slicewise.workload.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.workload.target.PortalApplication.PortalSchema;
import io.slicewise.workload.target.PortalApplication.PortalStep;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The portal keeps what it is given in its database, and gives back every byte of it. */
@ExtendWith(FreshDatabase.class)
class PortalApplicationTest {
  private static final Pattern CREATED = Pattern.compile("List ([0-9]+) created");

  @TempDir Path files;
  private final HttpClient browser =
      HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  private Database database;
  private URI site;

  @BeforeEach
  void prepare(Database fresh) {
    database = fresh;
    PageFiles.createMissing(files);
  }

  @Test
  void keepsADocumentInAListAndGivesItBack() throws Exception {
    try (SampleApplication portal = start(Pace.free())) {
      assertThat(signIn("user2", "password2").statusCode()).isEqualTo(200);
      HttpResponse<String> created = post("lists", "title=Plans+%26+dreams");
      assertThat(created.statusCode()).isEqualTo(201);
      String list = number(created.body());
      String document = "first line\n" + "x".repeat(9_000) + "ü";

      assertThat(put(list + "/a.txt", document).body())
          .contains("Document a.txt stored, 9013 bytes.");

      assertThat(get("lists/" + list + "/a.txt").body()).isEqualTo(document);
      assertThat(get("").body())
          .contains("<h1>Main site</h1>", "Signed in as user2.", "Plans &amp; dreams</a> of user2")
          .endsWith("</html>\n");
      assertThat(Rows.count(database, "SELECT length(content) FROM slicewise_portal.documents"))
          .isEqualTo(9013);
    }
  }

  @Test
  void answersNobodyWhoHasNotSignedIn() throws Exception {
    try (SampleApplication portal = start(Pace.free())) {
      assertThat(get("").statusCode()).isEqualTo(401);
      assertThat(post("lists", "title=x").statusCode()).isEqualTo(401);
      assertThat(put("1/a.txt", "x").statusCode()).isEqualTo(401);
      assertThat(signIn("user1", "password2").statusCode()).isEqualTo(401);
      assertThat(get("").statusCode()).isEqualTo(401);
      assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_portal.lists")).isZero();
    }
  }

  @Test
  void refusesWhatIsNoListDocumentOrForm() throws Exception {
    try (SampleApplication portal = start(Pace.free())) {
      signIn("user1", "password1");
      assertThat(get("lists/1/none.txt").statusCode()).isEqualTo(404);
      assertThat(get("lists/x/none.txt").statusCode()).isEqualTo(404);
      assertThat(post("lists", "name=x").statusCode()).isEqualTo(400);
      assertThat(put("1/a.txt", "x".repeat((1 << 20) + 1)).statusCode()).isEqualTo(413);
      assertThat(post("sign-in", "user=user1").statusCode()).isEqualTo(400);
      assertThat(put("1/a.txt", "x").statusCode()).isEqualTo(201);
      assertThat(put("1/a.txt", "again").statusCode()).isEqualTo(503);
    }
  }

  /** A server that closes a connection without a word breaks the client's next request. */
  @Test
  void keepsTheConnectionOfADocumentThatIsTooLong() throws Exception {
    try (SampleApplication portal = start(Pace.free());
        Socket client = new Socket(site.getHost(), site.getPort())) {
      signIn("user1", "password1");
      BufferedReader answers =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
      putRaw(client, 4 << 20);
      assertThat(status(answers)).startsWith("HTTP/1.1 413 ");
      putRaw(client, 1);
      assertThat(status(answers)).startsWith("HTTP/1.1 201 ");
    }
  }

  private void putRaw(Socket client, int length) throws Exception {
    CookieManager cookies = (CookieManager) browser.cookieHandler().orElseThrow();
    String head =
        "PUT /lists/1/long.txt HTTP/1.1\r\nHost: portal\r\nCookie: %s\r\nContent-Length: %d\r\n\r\n"
            .formatted(cookies.getCookieStore().getCookies().get(0), length);
    client.getOutputStream().write((head + "x".repeat(length)).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the next status line; the answers' pages end with a line. */
  private static String status(BufferedReader answers) throws Exception {
    String line = answers.readLine();
    while (line != null && !line.startsWith("HTTP/")) {
      line = answers.readLine();
    }
    return line;
  }

  @Test
  void takesTheStepsOfEachAnswerInTheirOrder() throws Exception {
    List<PortalStep> steps = new CopyOnWriteArrayList<>();
    Pace<PortalStep> recorded =
        step -> {
          steps.add(step);
          return CompletableFuture.completedFuture(null);
        };
    try (SampleApplication portal = start(recorded)) {
      signIn("user1", "password1");
      steps.clear();
      post("lists", "title=x");
      assertThat(steps)
          .containsExactly(
              PortalStep.RECEIVE,
              PortalStep.LIST_INSERT,
              PortalStep.SITE_QUERY,
              PortalStep.FILES,
              PortalStep.RENDER,
              PortalStep.SEND);
    }
  }

  @Test
  void dropsTheSchemaItMadeAndLeavesOneItFound() {
    TargetSchema schema = PortalSchema.of(database);
    start(Pace.free()).close();
    assertThat(schema.exists()).isFalse();

    schema.create();
    start(Pace.free()).close();
    assertThat(schema.exists()).isTrue();
  }

  private SampleApplication start(Pace<PortalStep> pace) {
    SampleApplication portal = PortalApplication.start(TargetOptions.local(database, files), pace);
    site = portal.uri();
    return portal;
  }

  private static String number(String page) {
    Matcher matcher = CREATED.matcher(page);
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private HttpResponse<String> signIn(String user, String password) throws Exception {
    return post("sign-in", "user=" + user + "&password=" + password);
  }

  private HttpResponse<String> post(String path, String form) throws Exception {
    return send(
        HttpRequest.newBuilder(site.resolve(path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form)));
  }

  private HttpResponse<String> put(String path, String document) throws Exception {
    return send(
        HttpRequest.newBuilder(site.resolve("lists/" + path))
            .PUT(BodyPublishers.ofString(document)));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(site.resolve(path)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return browser.send(request.build(), BodyHandlers.ofString());
  }
}
