package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.target.Database;
import io.slicewise.target.FreshDatabase;
import io.slicewise.target.PageFiles;
import io.slicewise.target.Rows;
import io.slicewise.target.TargetOptions;
import io.slicewise.target.WebAppSchema;
import io.slicewise.target.WebApplication;
import io.slicewise.units.SlicewiseException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A workload sets up, checks and removes what its plan needs, and nothing else. */
@ExtendWith(FreshDatabase.class)
class WorkloadsTest {
  private static final Map<String, String> PASSWORD =
      Map.of(DatabaseOptions.PASSWORD_VARIABLE, "postgres");

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
  void setsTheDatabaseUpAndDownAroundATrial(Database database) {
    WebAppSchema schema = new WebAppSchema(database);
    schema.create();
    try (WebApplication application = application(database)) {
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
        .hasValueSatisfying(text -> assertThat(text).contains("was not made by Slicewise"));
    assertThatThrownBy(workload::setUp).isInstanceOf(SlicewiseException.class);
    assertThatThrownBy(workload::tearDown).isInstanceOf(SlicewiseException.class);
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.ledger")).isZero();
  }

  @Test
  void complainsInOneSentenceAboutATargetThatDoesNotDo(Database database) {
    URI nobody = URI.create("http://127.0.0.1:1/");
    assertThat(webApp(nobody, Map.of()).complaint())
        .hasValueSatisfying(text -> assertThat(text).startsWith("target " + nobody + " does not"));

    try (WebApplication application = application(database)) {
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
    try (WebApplication application = application(database)) {
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
  void saysWhatIsMissing() {
    assertThatThrownBy(
            () -> Workloads.of("plan", Optional.empty(), Optional.empty(), Map.of(), Map.of()))
        .hasMessage("workload plan needs plan: the path of a .jmx file");
    assertThatThrownBy(
            () -> Workloads.of("web-app", Optional.empty(), Optional.empty(), Map.of(), Map.of()))
        .hasMessage("workload web-app needs target: where the page is");
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
            Optional.empty(), Optional.of(target), properties, new Options(options), PASSWORD));
  }

  private static Map<String, Object> databaseOf(Database database) {
    return Map.of("database", database.url(), "database-user", database.user());
  }

  private WebApplication application(Database database) {
    PageFiles.createMissing(files);
    return WebApplication.start(TargetOptions.local(database, files));
  }
}
