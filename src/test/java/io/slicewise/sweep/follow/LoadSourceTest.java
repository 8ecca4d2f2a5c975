package io.slicewise.sweep.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.sweep.HostFollow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that cannot be understood, or has nothing yet, is not read as a load of nothing. */
class LoadSourceTest {
  @TempDir private Path directory;
  private Path file;
  private LoadSource.Requests requests;

  @BeforeEach
  void follow() throws IOException {
    file = Files.createFile(directory.resolve("access.log"));
    Path site =
        Files.writeString(
            directory.resolve("site.yaml"),
            """
            name: site
            host: {address: dom0.example, dead-man: 1m}
            domains: {main: [web]}
            profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
            workload: {name: traffic, log: {path: %s, format: nginx, machine: local}}
            design: {kind: pairs}
            goal: lowest mean
            """
                .formatted(file));
    requests =
        new LoadSource.Requests(HostFollow.traffic(ExperimentFiles.read(site)).orElseThrow());
  }

  @AfterEach
  void close() {
    requests.close();
  }

  private void write(String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
  }

  private void visit() throws IOException {
    double now = System.currentTimeMillis() / 1000.0;
    write(String.format(Locale.ROOT, "%.3f 0.010 - 200 GET shop 10 \"/a\"", now));
  }

  private LoadSource.Reading awaitReading() {
    return Awaitility.await().until(requests::next, Optional::isPresent).orElseThrow();
  }

  @Test
  void aLogWithoutARequestIsNotReadAsALoadOfNothing() throws Exception {
    TimeUnit.SECONDS.sleep(4);
    assertThat(requests.next()).isEmpty();
    assertThat(requests.trouble()).isEqualTo("the log has no request yet");
    visit();
    assertThat(awaitReading().requests()).isEqualTo(1);
    assertThat(awaitReading().requests()).isZero();
  }

  @Test
  void linesThatAreNotUnderstoodAreNotReadAsALoadOfNothing() throws Exception {
    visit();
    awaitReading();
    write("::1 - - [23/Nov/2026:13:22:39 +0000] \"GET / HTTP/1.1\" 200 12");
    Awaitility.await().until(() -> requests.trouble().contains("are not of format nginx"));
    TimeUnit.SECONDS.sleep(2);
    assertThat(requests.next()).isEmpty();
  }
}
