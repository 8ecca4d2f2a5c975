package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.SlicewiseProcess;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.Main;
import io.slicewise.lab.guest.Scenes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds that a lab takes its servers with it, however it ends, and one that never started too. */
@Isolated("compares the threads of the process before and after")
@Tag("lab")
class LabEndTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void takesItsDatabaseWithItWhenKilled() throws Exception {
    Process lab =
        SlicewiseProcess.of(
                Main.class,
                directory.getParent(),
                "lab",
                "--scene",
                "tpch",
                "--directory",
                directory.toString())
            .start();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(lab.getInputStream(), StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      while (line != null && !line.startsWith("Press Ctrl-C to stop")) {
        line = reader.readLine();
      }
      assertThat(line).as("the lab has started").isNotNull();
      Path data = directory.resolve("database");
      long server = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
      assertThat(ProcessHandle.of(server)).isPresent();
      lab.destroyForcibly();
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(alive(server)).as("PostgreSQL runs").isFalse());
      Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(data).doesNotExist());
    } finally {
      lab.destroyForcibly();
    }
  }

  private static boolean alive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"web-app", "vps", "portal", "mail", "cpu", "tpcb"})
  void leavesNoServerWhenLaterOneDoesNotStart(String scene) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      LabOptions options =
          LabOptions.defaults()
              .withScene(Scenes.named(scene).orElseThrow())
              .withDirectory(directory);
      leavesNothing(options.withPorts(0, taken.getLocalPort()), taken.getLocalPort());
      leavesNothing(options.withPorts(taken.getLocalPort(), 0), taken.getLocalPort());
    }
  }

  private void leavesNothing(LabOptions options, int taken) throws IOException {
    Set<String> before = threads();
    assertThatThrownBy(() -> Lab.start(options)).hasMessageContaining(Integer.toString(taken));
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(file -> file.endsWith("postmaster.pid"))).isEmpty();
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
  }

  /** The servers' and the simulated machine's; pools that all of the process share stay. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.matches("(lab-|smtp|imap|web application|portal|qtp|sim).*"))
        .collect(Collectors.toSet());
  }

  @Test
  void refusesDirectoryOfRunningLab() {
    LabOptions options = LabOptions.sshOnly().withDirectory(directory);
    try (Lab first = Lab.start(options)) {
      assertThatThrownBy(() -> Lab.start(options))
          .isInstanceOfSatisfying(
              SlicewiseException.class,
              refused -> assertThat(refused.errorKind()).isEqualTo(ErrorKind.LOCKED))
          .hasMessageContaining("another lab uses the directory " + directory);
      assertThat(first.sshPort()).isPositive();
    }
    Lab.start(options).close();
  }
}
