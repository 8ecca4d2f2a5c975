package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.monitor.Monitor.Watch;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects a watch's course on the host: which monitor is chosen, that its logs arrive, and that
 * nothing is left behind, whatever goes wrong.
 */
class MonitorRunTest {
  private static final Clock CLOCK = Clock.fixed(Fixtures.ZERO, ZoneOffset.UTC);
  private static final List<Domain> DOMAINS =
      List.of(
          Fixtures.domain("Domain-0", 0, 1),
          Fixtures.domain("hog", 1, 1),
          Fixtures.domain("server", 2, 1));
  private static final String HELP = "[ \"$1\" = --help ] && exit 0\n";
  private static final String SUCCEED = "exit 0";
  private static final String FAIL = "exit 127";

  @TempDir Path directory;
  private Path logs;
  private Path fixtures;
  private StandInHost host;

  @BeforeEach
  void makeAHostWithoutAnything() throws IOException {
    logs = Files.createDirectory(directory.resolve("logs"));
    fixtures = Files.createDirectory(directory.resolve("fixtures"));
    host = new StandInHost(Files.createDirectory(directory.resolve("programs")));
    for (String program :
        List.of("xenmon.py", "xenmon", "xenbaked", "xentrace", "xenalyze", "xentop")) {
      host.with(program, FAIL);
    }
  }

  private Path fixture(String name) throws IOException {
    Path file = fixtures.resolve(name.substring(name.lastIndexOf('/') + 1));
    return Files.writeString(file, Fixtures.text(name));
  }

  private void installXenmon(String afterwards) throws IOException {
    StringBuilder script = new StringBuilder(HELP);
    script.append("prefix=$3\n");
    for (String which : List.of("dom0", "dom1", "dom2", "idle")) {
      Path file = fixture("ge4.8/log-" + which + ".log");
      script.append("cp '").append(file).append("' \"$prefix-").append(which).append(".log\"\n");
    }
    host.with("xenbaked", SUCCEED).with("xenmon.py", script + afterwards);
  }

  private Monitor probe() {
    return Monitors.probe(host, Fixtures.host(4, 17, 2), false, CLOCK);
  }

  private static Window tenSecondsAfterStart(Monitor monitor) {
    double start = monitor.leadTime().minusMillis(500).toNanos() / 1e9;
    return Fixtures.window(start, start + 10.1);
  }

  private void assertNothingIsLeft() {
    assertThat(host.directoriesMade()).isNotEmpty().allMatch(made -> !Files.exists(made));
  }

  /**
   * Whoever runs these tests may be root, so a name that is not a log's stands for no permission.
   */
  @Test
  void whatSudoWroteIsGivenToTheLoginBeforeItIsFetched() throws IOException {
    installXenmon("for log in \"$prefix\"-*.log; do mv \"$log\" \"$log.locked\"; done");
    host.with("sudo", "shift; exec \"$@\"")
        .with("id", "echo 1234")
        .with(
            "chown",
            "[ \"$1 $2\" = '-R 1234' ] || exit 1\n"
                + "for log in \"$3\"/*.locked; do mv \"$log\" \"${log%.locked}\"; done");
    Monitor monitor = Monitors.probe(host, Fixtures.host(4, 17, 2), true, CLOCK);

    try (Watch watch = monitor.start(Duration.ofSeconds(12), DOMAINS, logs)) {
      MonitorResult result = watch.result(tenSecondsAfterStart(monitor));

      assertThat(result.shares().get(2).waiting()).isBetween(0.040, 0.053);
      assertNothingIsLeft();
    }
  }

  @Test
  void xenmonsLogsArriveAreKeptAndAreGoneFromTheHost() throws IOException {
    installXenmon("yes | head -n 500000");
    Monitor monitor = probe();

    try (Watch watch = monitor.start(Duration.ofSeconds(12), DOMAINS, logs)) {
      MonitorResult result = watch.result(tenSecondsAfterStart(monitor));

      assertThat(result.source()).isEqualTo("xenmon");
      assertThat(result.warnings()).isEmpty();
      assertThat(result.covered().seconds()).isCloseTo(10, within(0.2));
      assertThat(result.shares().get(2).waiting()).isBetween(0.040, 0.053);
      assertNothingIsLeft();
    }
    try (Stream<Path> kept = Files.list(logs)) {
      assertThat(kept.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "log-dom0.log.gz", "log-dom1.log.gz", "log-dom2.log.gz", "log-idle.log.gz");
    }
  }

  @Test
  void aXenmonThatFailsIsTold() throws IOException {
    installXenmon("echo 'no buffers' >&2\nrm \"$prefix\"-*\nexit 3");
    Monitor monitor = probe();

    try (Watch watch = monitor.start(Duration.ofSeconds(12), DOMAINS, logs)) {
      MonitorResult result = watch.result(tenSecondsAfterStart(monitor));

      assertThat(result.warnings())
          .contains("xenmon failed with status 3 (no buffers)", "xenmon left no readable record");
      assertThat(result.shares()).allSatisfy(shares -> assertThat(shares.run()).isNaN());
    }
    assertNothingIsLeft();
  }

  @Test
  void nothingIsLeftWhenTheLogsCannotBeFetched() throws IOException {
    installXenmon("");
    host.failingToFetch(new RemoteShellException(Kind.FILE_NOT_FETCHED, "no", "", null));
    Monitor monitor = probe();

    try (Watch watch = monitor.start(Duration.ofSeconds(12), DOMAINS, logs)) {
      assertThatThrownBy(() -> watch.result(tenSecondsAfterStart(monitor)))
          .isInstanceOf(RemoteShellException.class);
    }
    assertNothingIsLeft();
  }

  @Test
  void aWatchGivenUpEndsXenmonOnTheHost() throws IOException {
    assumeTrue(Shells.local().run(Command.reading("pkill", "--version")).succeeded());
    Path interrupted = directory.resolve("interrupted");
    Path running = directory.resolve("running");
    installXenmon(
        ("trap 'touch \"%s\"; exit 0' INT\ntouch '%s'\n" + "while :; do sleep 0.02; done")
            .formatted(interrupted, running));
    Watch watch = probe().start(Duration.ofMinutes(10), DOMAINS, logs);
    await().until(() -> Files.exists(running));

    watch.close();

    assertThat(interrupted).exists();
    assertNothingIsLeft();
  }

  @Test
  void doesNotStartWhileAnotherProgramReadsTheTraceBuffers() throws IOException {
    installXenmon("");
    host.answering("pgrep", 0, "4711 xentrace\n");
    Monitor monitor = probe();

    assertThat(monitor.remarks()).anyMatch(remark -> remark.contains("4711 xentrace"));
    assertThatThrownBy(() -> monitor.start(Duration.ofSeconds(5), DOMAINS, logs))
        .isInstanceOfSatisfying(
            SlicewiseException.class, e -> assertThat(e.errorKind()).isEqualTo(ErrorKind.LOCKED))
        .hasMessageContaining("4711 xentrace");
    assertThat(host.directoriesMade()).isEmpty();
  }

  @Test
  void takesXenalyzeWhereXenmonIsMissing() throws IOException {
    Path summary = fixture("xenalyze-4.17-summary.txt");
    host.with("xentrace", "for last; do :; done\n[ \"$last\" = '-?' ] || echo trace > \"$last\"")
        .with("xenalyze", "cat '" + summary + "'");
    Monitor monitor = probe();

    assertThat(monitor.name()).isEqualTo("xenalyze");
    assertThat(monitor.remarks()).contains("xenmon is not installed");
    try (Watch watch = monitor.start(Duration.ofSeconds(1), DOMAINS, logs)) {
      MonitorResult result = watch.result(Fixtures.window(0.5, 1));

      assertThat(result.shares().get(2).run()).isCloseTo(2.0 / 10.5, within(1e-9));
      assertThat(result.covered()).isEqualTo(Fixtures.window(0.5, 1));
      assertThat(host.commands().toString()).contains("--cpu-hz=2400.000M, --summary");
    }
    assertNothingIsLeft();
    assertThat(logs.resolve("xenalyze-summary.txt.gz")).exists();
  }

  @Test
  void saysWhenXenalyzeCannotReadTheTrace() throws IOException {
    host.with("xentrace", SUCCEED).with("xenalyze", HELP + "echo 'bad trace' >&2\nexit 1");

    try (Watch watch = probe().start(Duration.ofSeconds(1), DOMAINS, logs)) {
      MonitorResult result = watch.result(Fixtures.window(0, 1));

      assertThat(result.warnings()).contains("xenalyze failed with status 1 (bad trace)");
      assertThat(result.shares()).allSatisfy(shares -> assertThat(shares.run()).isNaN());
    }
    assertNothingIsLeft();
  }

  @Test
  void takesXentopWhereThereIsNoTrace() throws IOException {
    Path output = fixture("real/xentop-b-f.txt");
    host.with("xentop", "cat '" + output + "'");
    Monitor monitor = probe();
    List<Domain> domains =
        List.of(Fixtures.domain("Domain-0", 0, 2), Fixtures.domain("Apache_Server", 1, 1));

    assertThat(monitor.name()).isEqualTo("xentop");
    try (Watch watch = monitor.start(Duration.ofSeconds(1), domains, logs)) {
      MonitorResult result = watch.result(Fixtures.window(0, 1));

      assertThat(result.shares().get(0).run()).isCloseTo(0.199 / 2, within(1e-9));
      assertThat(result.shares().get(1).run()).isCloseTo(0.994, within(1e-9));
      assertThat(result.shares().get(1).waiting()).isNaN();
      assertThat(result.shares().get(1).blocked()).isNaN();
    }
  }

  @Test
  void measuresNothingWhereThereIsNothing() {
    Monitor monitor = probe();

    assertThat(monitor.name()).isEqualTo("none");
    try (Watch watch = monitor.start(Duration.ofSeconds(1), DOMAINS, logs)) {
      assertThat(watch.result(Fixtures.window(0, 1)).shares())
          .hasSize(3)
          .allSatisfy(shares -> assertThat(shares.run()).isNaN());
    }
  }

  @Test
  void passesByAXenmonWhosePythonDoesNotLoadIt() throws IOException {
    host.with("xenmon.py", "echo \"NameError: name 'file' is not defined\" >&2\nexit 1");

    Monitor monitor = probe();

    assertThat(monitor.name()).isEqualTo("none");
    assertThat(monitor.remarks())
        .contains("xenmon is installed but does not start (NameError: name 'file' is not defined)");
  }
}
