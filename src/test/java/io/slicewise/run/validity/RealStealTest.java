package io.slicewise.run.validity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.MachineProbe;
import io.slicewise.host.monitor.Machines;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.Observer;
import io.slicewise.observe.Tier;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two guests of a real Xen 4.17 that burn on one pCPU with equal weights: what their kernels count
 * as stolen is what xenalyze saw them wait, although their ticks miss a tenth of their time.
 */
class RealStealTest {
  private static final double POINTS = 0.02;
  private static final Window WINDOW = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(15));
  private static final List<Domain> DOMAINS =
      List.of(
          new Domain("NFS_Server", 9, 1, 0, "bench"),
          new Domain("Apache_Server", 10, 1, 0, "bench"));

  @TempDir Path directory;

  private Map<String, MachineCounters> counted(Path recorded) {
    try (MachineProbe one = RealGuestDiskTest.probe(recorded, directory, "NFS_Server", Tier.GUEST);
        MachineProbe other =
            RealGuestDiskTest.probe(recorded, directory, "Apache_Server", Tier.GUEST)) {
      Machines machines = new Machines(List.of(one, other), Optional.empty(), Map.of());
      try (Observer.Watch watch = machines.begin(WINDOW.length(), directory)) {
        watch.end();
        return watch.finish(WINDOW).get(0).machines();
      }
    }
  }

  @Test
  void whatGuestsCountAsStolenIsTheirWait() {
    Path recorded =
        Path.of(System.getProperty("slicewise.home"), "src/test/resources/xen/guest-steal");
    HostDescription host =
        new HostDescription("xl", HypervisorVersion.of(4, 17), "6.1", 4, 2600, "credit", List.of());
    List<DomainShares> seen =
        Recordings.whole(
                Recordings.Source.XENALYZE,
                List.of(recorded.resolve("xenalyze.txt")),
                host,
                DOMAINS)
            .result()
            .shares();
    counted(recorded)
        .forEach(
            (guest, counters) -> {
              double waiting =
                  seen.stream()
                      .filter(shares -> shares.domain().equals(guest))
                      .mapToDouble(DomainShares::waiting)
                      .findFirst()
                      .orElseThrow();
              assertThat(counters.share(MachineCounters.STEAL))
                  .as(guest)
                  .isCloseTo(waiting, within(POINTS));
              assertThat(counters.allCpuSeconds()).isLessThan(0.95 * counters.seconds());
            });
  }
}
