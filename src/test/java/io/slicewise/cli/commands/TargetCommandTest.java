package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.Main;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.WebApplication.WebAppSchema;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The sample application starts and ends cleanly as a program of its own. */
@ExtendWith(FreshDatabase.class)
class TargetCommandTest {
  @TempDir Path directory;

  @Test
  void servesUntilItIsTerminatedAndLeavesNothingBehind(Database database) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            Main.class.getName(),
            "target",
            "web-app",
            "--db=" + database.url(),
            "--db-user=" + database.user(),
            "--password-env=TEST_PASSWORD",
            "--files=" + directory.resolve("files"),
            "--sample-files",
            "--port=0");
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("TEST_PASSWORD", database.password().reveal());
    Process process = builder.redirectErrorStream(true).start();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).startsWith("wrote ");
      assertThat(out.readLine()).startsWith("wrote ");
      String line = out.readLine();
      assertThat(line).startsWith("serving http://127.0.0.1:");
      URI page = URI.create(line.replace("serving ", "").replace(" until interrupted", ""));
      assertThat(
              HttpClient.newHttpClient()
                  .send(
                      HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(401);

      process.toHandle().destroy();

      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(out.readLine()).isNull();
      assertThat(WebAppSchema.of(database).exists()).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }
}
