package io.slicewise.run.validity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.Window;
import io.slicewise.host.monitor.StandInHost;
import io.slicewise.host.monitor.machine.MachineProbe;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.observe.DiskCounters;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What dom0 and a guest of a real Xen 4.17 counted while the guest read 64 MiB of a disk that is a
 * file on a loop device: the guest, blkback and dom0's disk agree.
 */
class RealGuestDiskTest {
  private static final Path RECORDED = Path.of("src/test/resources/xen/guest-disk");
  private static final int DOMID = 3;
  private static final double SECTORS = 64 * 1024 * 2;
  private static final double MEBIBYTES = 64 * 1024 * 1024;
  private static final Window WINDOW = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(60));

  @TempDir Path directory;

  private MachineProbe probe(String arm, String name, Tier tier) {
    return probe(
        Path.of(System.getProperty("slicewise.home")).resolve(RECORDED).resolve(arm),
        directory.resolve(arm),
        name,
        tier);
  }

  /** A machine that answers first what was recorded before, then what was recorded after. */
  static MachineProbe probe(Path recorded, Path directory, String name, Tier tier) {
    return new MachineProbe(
        name,
        tier,
        Optional.empty(),
        List.of(),
        () -> {
          try {
            return new StandInHost(Files.createDirectories(directory.resolve(name)))
                .with(
                    "grep",
                    "if mkdir '%1$s' 2>/dev/null; then cat '%2$s-before.txt'; else cat '%2$s-after.txt'; fi"
                        .formatted(directory.resolve(name + "-asked"), recorded.resolve(name)));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        MachineProbe.Connects.ITSELF);
  }

  private Map<String, MachineCounters> counted(String arm) {
    try (MachineProbe guest = probe(arm, "SQL_Server", Tier.GUEST);
        MachineProbe dom0 = probe(arm, "Domain-0", Tier.DOM0)) {
      Machines machines =
          new Machines(List.of(guest, dom0), Optional.empty(), Map.of(DOMID, "SQL_Server"));
      try (Observer.Watch watch = machines.begin(WINDOW.length(), directory)) {
        watch.end();
        return watch.finish(WINDOW).get(0).machines();
      }
    }
  }

  private static List<String> said(Map<String, MachineCounters> counted) {
    return MachineRulesTest.said(MachineRulesTest.of(counted), Rule.PASSES);
  }

  @Test
  void readsOfALoopDeviceWithDirectIoAreTheSameAtAllThreeLayers() {
    Map<String, MachineCounters> counted = counted("direct");
    MachineCounters dom0 = counted.get("Domain-0");
    DiskCounters backend = dom0.counted().backends().get("SQL_Server/xvda");

    assertThat(backend.value(DiskCounters.SECTORS_READ)).isEqualTo(SECTORS);
    assertThat(
            counted
                .get("SQL_Server")
                .counted()
                .disks()
                .get("xvda")
                .value(DiskCounters.SECTORS_READ))
        .isEqualTo(SECTORS);
    assertThat(dom0.counted().disks().get("vda").bytesRead())
        .isGreaterThanOrEqualTo(MEBIBYTES)
        .isCloseTo(MEBIBYTES, within(0.01 * MEBIBYTES));
    assertThat(said(counted)).isEmpty();
  }

  /** After its cache was emptied, dom0 reads ahead of the guest; with a full cache, nothing. */
  @Test
  void readsOfABufferedLoopDeviceAreTheGuestsAtItsBackendOnly() {
    Map<String, MachineCounters> empty = counted("buffered-empty");
    assertThat(empty.get("Domain-0").counted().backends().get("SQL_Server/xvda").bytesRead())
        .isGreaterThanOrEqualTo(MEBIBYTES);
    assertThat(empty.get("Domain-0").counted().disks().get("vda").bytesRead())
        .isGreaterThanOrEqualTo(MEBIBYTES);
    assertThat(said(empty)).isEmpty();

    Map<String, MachineCounters> full = counted("buffered-full");
    assertThat(full.get("Domain-0").counted().backends().get("SQL_Server/xvda").bytesRead())
        .isGreaterThanOrEqualTo(MEBIBYTES);
    assertThat(said(full))
        .containsExactly("warns: Domain-0 served 67.1 MB and read 0.1 MB of its disks");
  }
}
