package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisors;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects the whole way over a real SSH connection: what a monitor measures is what the host's own
 * accounting says, by either column layout and by runstates.
 */
@Execution(ExecutionMode.CONCURRENT)
@MeasuresInRealTime
class LabWatchTest {
  /**
   * A wait is booked when it ends: slices of 30 ms at either end are 0.75 % of this window. Of one
   * so short that they are 2 %, the accounting would say that its records cannot be right.
   */
  private static final Duration WINDOW = Duration.ofSeconds(8);

  /** Those two slices, and rows that lie on the wall clock to within some ten milliseconds. */
  private static final double EDGES = 0.03;

  @TempDir Path logs;

  @ParameterizedTest
  @CsvSource({"xl-4.4, true, xenmon", "xl-4.17, true, xenmon", "xl-4.17, false, xenalyze"})
  void measuresWhatTheHostAccounts(String toolstackName, boolean xenmon, String expected) {
    LabOptions options =
        LabOptions.sshOnly()
            .withToolstack(toolstackName)
            .withScheduler(Scheduler.CREDIT)
            .withCpus(1, 1)
            .withGuests(LabGuest.burning("web", 1), LabGuest.burning("db", 1))
            .withXenmon(xenmon);
    try (Lab lab = Lab.start(options);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor toolstack = Hypervisors.probe(shell, false, Optional.empty(), Optional.empty());
      Monitor monitor = Monitors.probe(shell, toolstack.describe(), false);
      assertThat(monitor.name()).isEqualTo(expected);

      Watched watched = watch(monitor, toolstack);
      MonitorResult result = watched.result();

      for (String name : List.of("web", "db")) {
        DomainShares shares = of(result, name);
        assertThat(shares.run()).as("%s of %s", name, result).isCloseTo(0.5, within(EDGES));
        assertThat(shares.waiting()).as("%s of %s", name, result).isCloseTo(0.5, within(EDGES));
        assertThat(shares.blocked()).as("%s of %s", name, result).isCloseTo(0, within(EDGES));
      }
      assertThat(of(result, "web").run()).isCloseTo(watched.accounted(), within(0.03));
      assertThat(result.covered().seconds()).isPositive();
      assertThat(lab.fileSystem().resolve("tmp")).isEmptyDirectory();
    }
  }

  @Test
  void endsARecordingAnEarlierRunLeftBehindButNobodyElses() {
    LabOptions options = LabOptions.sshOnly().withCpus(1, 1).withXenmon(false);
    try (Lab lab = Lab.start(options);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor toolstack = Hypervisors.probe(shell, false, Optional.empty(), Optional.empty());
      Monitor monitor = Monitors.probe(shell, toolstack.describe(), false);
      String leftover =
          shell
              .run(Command.changing("mktemp", "-d", "/tmp/slicewise-XXXXXXXXXX"))
              .standardOutput()
              .strip();

      RunningCommand ours = recording(shell, leftover + "/trace");
      monitor.start(WINDOW, toolstack.domains(), logs).close();

      assertThat(ours.await(Duration.ofSeconds(10))).isPresent();
      assertThat(lab.fileSystem().resolve("tmp")).isEmptyDirectory();

      RunningCommand theirs = recording(shell, "/tmp/trace");
      assertThatThrownBy(() -> monitor.start(WINDOW, toolstack.domains(), logs))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("already being read by");
      assertThat(theirs.poll()).isEmpty();
      theirs.close();
    }
  }

  private static RunningCommand recording(RemoteShell shell, String file) {
    RunningCommand running = shell.start(Command.changing("xentrace", "-D", "-T", "60", file));
    await().until(() -> shell.run(Command.reading("pgrep", "-x", "xentrace")).succeeded());
    return running;
  }

  /** What the monitor saw, and web's part of all CPU time by the host's own accounting. */
  private record Watched(MonitorResult result, double accounted) {}

  private Watched watch(Monitor monitor, Hypervisor toolstack) {
    Duration length = WINDOW.plus(monitor.leadTime());
    List<Domain> before = toolstack.domains();
    try (Monitor.Watch watch = monitor.start(length, before, logs)) {
      until(Instant.now().plus(monitor.leadTime()));
      Instant start = Instant.now();
      until(start.plus(WINDOW));
      MonitorResult result = watch.result(new Window(start, Instant.now()));
      List<Domain> after = toolstack.domains();
      double all = after.stream().mapToDouble(d -> used(d.name(), before, after)).sum();
      return new Watched(result, used("web", before, after) / all);
    }
  }

  private static double used(String name, List<Domain> before, List<Domain> after) {
    return cpuSeconds(name, after) - cpuSeconds(name, before);
  }

  private static double cpuSeconds(String name, List<Domain> domains) {
    return domains.stream()
        .filter(domain -> domain.name().equals(name))
        .mapToDouble(Domain::cpuSeconds)
        .sum();
  }

  /** The window has to pass in real time: nothing can be measured in less. */
  private static void until(Instant moment) {
    for (Instant now = Instant.now(); now.isBefore(moment); now = Instant.now()) {
      LockSupport.parkNanos(Duration.between(now, moment).toNanos());
    }
  }

  private static DomainShares of(MonitorResult result, String name) {
    return result.shares().stream()
        .filter(shares -> shares.domain().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
