package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.PageFiles;
import io.slicewise.workload.target.PortalApplication;
import io.slicewise.workload.target.PortalApplication.PortalSchema;
import io.slicewise.workload.target.Rows;
import io.slicewise.workload.target.SampleApplication;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import io.slicewise.workload.target.TargetSchema;
import io.slicewise.workload.target.WebApplication;
import io.slicewise.workload.target.WebApplication.WebAppSchema;
import io.slicewise.workload.tiles.Tile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A workload sets up, checks and removes what its plan needs, and nothing else. */
@ExtendWith(FreshDatabase.class)
class WorkloadsTest {
  @TempDir Path files;

  @Test
  void tellsThePlanWhereTheTargetIs() {
    Workload workload =
        webApp(URI.create("http://apache-server/index"), Map.of("think-time", "500"));

    assertThat(workload.properties())
        .containsOnly(
            Map.entry("protocol", "http"),
            Map.entry("host", "apache-server"),
            Map.entry("port", "80"),
            Map.entry("path", "/index"),
            Map.entry("think-time", "500"));
    assertThat(workload.plan()).hasValueSatisfying(plan -> assertThat(plan).isReadable());
  }

  @Test
  void asksForTheTargetWithItsQuery() {
    assertThat(webApp(URI.create("http://shop/page.php?n=70000&x=a%20b"), Map.of()).properties())
        .containsEntry("path", "/page.php?n=70000&x=a%20b");
    assertThat(webApp(URI.create("http://shop?n=1"), Map.of()).properties())
        .containsEntry("path", "/?n=1");
  }

  @Test
  void setsTheDatabaseUpAndDownAroundATrial(Database database) {
    TargetSchema schema = WebAppSchema.of(database);
    schema.create();
    try (SampleApplication application = application(database)) {
      Workload workload = webApp(application.uri(), Map.of(), databaseOf(database));
      assertThat(workload.properties().keySet()).noneMatch(key -> key.startsWith("database"));

      workload.setUp();
      assertThat(workload.complaint()).isEmpty();
      workload.setUp();
      assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.users")).isEqualTo(5);

      workload.tearDown();
      workload.tearDown();
      assertThat(schema.exists()).isFalse();
      assertThat(workload.complaint()).isEmpty();
    }
  }

  @Test
  void complainsAboutForeignTablesBeforeAnyTrial(Database database) {
    Rows.execute(database, "CREATE SCHEMA slicewise_web_app");
    Rows.execute(database, "CREATE TABLE slicewise_web_app.ledger (id INTEGER)");
    Workload workload = webApp(URI.create("http://127.0.0.1:1/"), Map.of(), databaseOf(database));

    assertThat(workload.complaint())
        .hasValueSatisfying(text -> assertThat(text).contains("was not created by Slicewise"));
    assertThatThrownBy(workload::setUp).isInstanceOf(SlicewiseException.class);
    assertThatThrownBy(workload::tearDown).isInstanceOf(SlicewiseException.class);
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.ledger")).isZero();
  }

  @Test
  void complainsInOneSentenceAboutATargetThatDoesNotDo(Database database) {
    URI nobody = URI.create("http://127.0.0.1:1/");
    assertThat(webApp(nobody, Map.of()).complaint())
        .hasValueSatisfying(text -> assertThat(text).startsWith("target " + nobody + " does not"));

    try (SampleApplication application = application(database)) {
      URI page = application.uri();
      assertThat(webApp(page, Map.of()).complaint()).isEmpty();
      assertThat(webApp(page, Map.of("password1", "wrong")).complaint())
          .contains(
              "target "
                  + page
                  + " answers with status 401: "
                  + "The name or the password is wrong.");
      assertThat(webApp(page.resolve("/other"), Map.of()).complaint())
          .hasValueSatisfying(text -> assertThat(text).contains("status 404"));
      assertThatThrownBy(() -> webApp(page, Map.of("password1", "wrong")).setUp())
          .hasMessageContaining("status 401");
    }
  }

  @Test
  void takesAnyPlanAndAsksItsTargetOnlyForAnAnswer(Database database) throws Exception {
    Path plan = Files.writeString(files.resolve("mine.jmx"), "<jmeterTestPlan/>");
    try (SampleApplication application = application(database)) {
      Workload workload =
          Workloads.of(
              "plan", Optional.of(plan), Optional.of(application.uri()), Map.of(), Map.of());

      assertThat(workload.plan()).contains(plan);
      assertThat(workload.complaint()).isEmpty();
    }
    assertThat(
            Workloads.of("plan", Optional.of(plan), Optional.empty(), Map.of(), Map.of())
                .complaint())
        .isEmpty();
  }

  @Test
  void loadsNothingWhenObserving() {
    Workload workload =
        Workloads.of("observe", Optional.empty(), Optional.empty(), Map.of(), Map.of());

    assertThat(workload.plan()).isEmpty();
    assertThat(workload.complaint()).isEmpty();
  }

  @Test
  void tellsThePlanOfPrivateServersWhereEachIs() {
    Map<String, Object> first = Map.of("name", "VPS_1", "target", "http://one/");
    Map<String, Object> second = Map.of("name", "VPS_2", "target", "https://two:8443/index");
    Options options = new Options(Map.of("guests", List.of(first, second)));
    Workload vps =
        Workloads.of(
            "vps",
            new WorkloadRequest(
                Optional.empty(), Optional.empty(), Map.of("think-time", "5"), options, Map.of()));

    assertThat(vps.properties())
        .containsEntry("guest1", "VPS_1")
        .containsEntry("host1", "one")
        .containsEntry("port1", "80")
        .containsEntry("protocol2", "https")
        .containsEntry("port2", "8443")
        .containsEntry("path2", "/index")
        .containsEntry("think-time", "5");
    assertThat(Workloads.type("vps").orElseThrow().tiles(options))
        .extracting(Tile::name)
        .containsExactly("VPS_1", "VPS_2");
  }

  @Test
  void tearsEveryPrivateServerDownWhateverBecomesOfTheOthers(Database one, Database two) {
    Rows.execute(one, "CREATE SCHEMA slicewise_web_app");
    Rows.execute(one, "CREATE TABLE slicewise_web_app.ledger (id INTEGER)");
    WebAppSchema.of(two).create();
    Workload vps =
        Workloads.of(
            "vps",
            new WorkloadRequest(
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                new Options(Map.of("guests", List.of(guest("a", one), guest("b", two)))),
                Map.of()));

    assertThatThrownBy(vps::tearDown).hasMessageContaining("was not created by Slicewise");
    assertThat(vps.complaint())
        .hasValueSatisfying(why -> assertThat(why).startsWith("a: schema slicewise_web_app in "));
    assertThat(WebAppSchema.of(two).exists()).isFalse();
  }

  private static Map<String, Object> guest(String name, Database database) {
    Map<String, Object> guest = new HashMap<>(databaseOf(database));
    guest.put("name", name);
    guest.put("target", "http://127.0.0.1:1/");
    return guest;
  }

  @Test
  void looksForThePortalBelowItsAddress(Database database) {
    PageFiles.createMissing(files);
    try (SampleApplication portal = PortalApplication.start(TargetOptions.local(database, files))) {
      Workload workload =
          Workloads.of(
              "portal",
              new WorkloadRequest(
                  Optional.empty(),
                  Optional.of(portal.uri()),
                  Map.of(),
                  new Options(databaseOf(database)),
                  Map.of()));
      assertThat(workload.properties()).containsEntry("path", "/");
      workload.setUp();
      assertThat(workload.complaint()).isEmpty();
      workload.tearDown();
      assertThat(PortalSchema.of(database).exists()).isFalse();
    }
  }

  @Test
  void takesPasswordsFromAFileOrTheEnvironmentAlone() throws Exception {
    Path secret = Files.writeString(files.resolve("secret"), "hunter2\nmore\n");
    Map<String, Object> url = Map.of("database", "jdbc:postgresql://h/d");
    assertThat(password(url, Map.of(DatabaseOptions.PASSWORD_VARIABLE, "a"))).isEqualTo("a");
    assertThat(password(with(url, "database-password-env", "MINE"), Map.of("MINE", "b")))
        .isEqualTo("b");
    assertThat(password(with(url, "database-password-file", secret.toString()), Map.of()))
        .isEqualTo("hunter2");
    assertThatThrownBy(() -> password(with(url, "database-password-env", "NONE"), Map.of()))
        .hasMessage("environment variable NONE, named by the workload, is not set");
    assertThatThrownBy(
            () -> password(with(url, "database-password-file", files + "/none"), Map.of()))
        .hasMessageContaining("none cannot be read");
  }

  private static Map<String, Object> with(Map<String, Object> map, String key, String value) {
    Map<String, Object> more = new HashMap<>(map);
    more.put(key, value);
    return more;
  }

  private static String password(Map<String, Object> options, Map<String, String> environment) {
    return DatabaseOptions.database(new Options(options), environment)
        .orElseThrow()
        .password()
        .reveal();
  }

  @Test
  void saysWhatIsMissing() {
    assertThatThrownBy(
            () -> Workloads.of("plan", Optional.empty(), Optional.empty(), Map.of(), Map.of()))
        .hasMessage("workload plan needs plan: the path of a .jmx file");
    assertThatThrownBy(
            () -> Workloads.of("web-app", Optional.empty(), Optional.empty(), Map.of(), Map.of()))
        .hasMessage("workload web-app needs target: the URL of the page");
    assertThatThrownBy(
            () ->
                Workloads.of(
                    "plan",
                    Optional.of(files.resolve("none.jmx")),
                    Optional.empty(),
                    Map.of(),
                    Map.of()))
        .hasMessageContaining("none.jmx does not exist");
    assertThatThrownBy(
            () -> Workloads.of("web", Optional.empty(), Optional.empty(), Map.of(), Map.of()))
        .hasMessage("workload 'web' is unknown");
  }

  private static Workload webApp(URI target, Map<String, String> properties) {
    return webApp(target, properties, Map.of());
  }

  private static Workload webApp(
      URI target, Map<String, String> properties, Map<String, Object> options) {
    return Workloads.of(
        "web-app",
        new WorkloadRequest(
            Optional.empty(), Optional.of(target), properties, new Options(options), Map.of()));
  }

  private static Map<String, Object> databaseOf(Database database) {
    return FreshDatabase.options(database);
  }

  private SampleApplication application(Database database) {
    PageFiles.createMissing(files);
    return WebApplication.start(TargetOptions.local(database, files));
  }
}
