package io.slicewise.run.validity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.host.monitor.machine.MachineProbe;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Guests of a real Xen 4.17 that burn on one pCPU, and idle ones of each type: in every recorded
 * trial, what their kernels count as stolen is what xenalyze saw them wait and be parked.
 */
class RealStealTest {
  private static final double POINTS = 0.02;
  private static final Window WINDOW = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(15));
  private static final Path RECORDED =
      Path.of(System.getProperty("slicewise.home"), "src/test/resources/xen/guest-steal");
  private static final List<Domain> DOMAINS =
      List.of(
          new Domain("NFS_Server", 9, 1, 0, "bench"),
          new Domain("Apache_Server", 10, 1, 0, "bench"),
          new Domain("SQL_Server", 5, 1, 0, "Pool-0"),
          new Domain("Mail_Server", 3, 1, 0, "Pool-0"),
          new Domain("Web_Server", 4, 1, 0, "Pool-0"));

  @TempDir Path directory;

  static List<Path> trials() throws IOException {
    try (Stream<Path> trials = Files.list(RECORDED)) {
      return Stream.concat(trials.sorted(), Stream.of(RECORDED.resolveSibling("guest-types")))
          .toList();
    }
  }

  private Map<String, MachineCounters> counted(Path trial) {
    List<MachineProbe> guests =
        DOMAINS.stream()
            .map(Domain::name)
            .filter(name -> Files.exists(trial.resolve(name + "-after.txt")))
            .map(name -> RealGuestDiskTest.probe(trial, directory, name, Tier.GUEST))
            .toList();
    try (Observer.Watch watch =
        new Machines(guests, Optional.empty(), Map.of()).begin(WINDOW.length(), directory)) {
      watch.end();
      return watch.finish(WINDOW).get(0).machines();
    } finally {
      guests.forEach(MachineProbe::close);
    }
  }

  private static DomainShares seen(Path trial, String guest) {
    HostDescription host =
        new HostDescription("xl", HypervisorVersion.of(4, 17), "6.1", 4, 2600, "credit", List.of());
    return Recordings.whole(
            Recordings.Source.XENALYZE, List.of(trial.resolve("xenalyze.txt")), host, DOMAINS)
        .result()
        .shares()
        .stream()
        .filter(shares -> shares.domain().equals(guest))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("trials")
  void whatGuestsCountAsStolenIsTheirWait(Path trial) {
    Map<String, MachineCounters> counted = counted(trial);
    assertThat(counted).isNotEmpty();
    counted.forEach(
        (guest, counters) -> {
          assertThat(counters.share(MachineCounters.STEAL))
              .as(guest)
              .isCloseTo(
                  seen(trial, guest).held(),
                  within(POINTS + counters.doubt(MachineCounters.STEAL)));
          assertThat(counters.doubt(MachineCounters.STEAL)).as(guest).isBetween(0.0, 0.03);
        });
  }

  /** A guest with a fifth of a pCPU waits while it reads: its two readings took 0.9 s together. */
  @Test
  void aReadingThatTookLongSaysHowWellTheTimeBetweenIsKnown() {
    MachineCounters starved = counted(RECORDED.resolve("w256-w1024")).get("Apache_Server");

    assertThat(starved.timing().spread()).isCloseTo(0.455, within(1e-9));
    assertThat(starved.share(MachineCounters.STEAL)).isCloseTo(0.816, within(5e-4));
    assertThat(starved.doubt(MachineCounters.STEAL)).isCloseTo(0.0287, within(1e-4));
  }

  /** The uptimes beside the CPUs' times leave 0.1 s of 14.8 s open, or less. */
  @ParameterizedTest
  @ValueSource(strings = {"w256-w256-nearer", "w256-w1024-late", "cap25-nearer", "cap25-nearer-2"})
  void anUptimeBesideTheCpusTimesLeavesNearlyNothingOpen(String trial) {
    MachineCounters guest = counted(RECORDED.resolve(trial)).get("NFS_Server");

    assertThat(guest.timing().spread()).isBetween(0.0, 0.051);
    assertThat(guest.doubt(MachineCounters.STEAL)).isLessThan(0.0015);
  }
}
