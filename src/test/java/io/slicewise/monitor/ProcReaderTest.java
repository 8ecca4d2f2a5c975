package io.slicewise.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protects the kernel counters: differences only, nothing from a counter that went back. */
class ProcReaderTest {
  private static final String STAT =
      """
      cpu  100 0 50 800 20 1 2 27 0 0
      cpu0 100 0 50 800 20 1 2 27 0 0
      intr 12345 1 2 3
      ctxt 5000
      btime 1700000000
      processes 400
      """;
  private static final String LATER_STAT =
      """
      cpu  300 0 100 1400 20 1 2 177 0 0
      intr 14345 1 2 3
      ctxt 9000
      btime 1700000000
      processes 380
      """;
  private static final String DISKS =
      """
         8       0 sda 1000 10 80000 500 2000 20 160000 900 0 700 1400
         8       1 sda1 5 6 7 8
         7       0 loop0 0 0 0 0 0 0 0 0 0 0 0
      """;
  private static final String LATER_DISKS =
      """
         8       0 sda 1100 10 82000 550 2000 20 160000 900 0 5700 1450 0 0 0 0 3 4
         7       0 loop0 0 0 0 0 0 0 0 0 0 0 0
      """;

  private static ProcSnapshot snapshot(double second, String stat, String disks) {
    return ProcReader.of(
        Fixtures.at(second), stat, "nr_free_pages 9\npswpin 40\n", disks, "0.52 0.4 0.3 1/99 7\n");
  }

  @Test
  void turnsCountersIntoSharesAndRates() {
    ProcUse use = ProcUse.between(snapshot(0, STAT, DISKS), snapshot(10, LATER_STAT, LATER_DISKS));

    assertThat(use.cpuShares().get("user")).isCloseTo(0.2, within(1e-12));
    assertThat(use.cpuShares().get("idle")).isCloseTo(0.6, within(1e-12));
    assertThat(use.cpuShares().get("steal")).isCloseTo(0.15, within(1e-12));
    assertThat(use.eventsPerSecond()).containsEntry("ctxt", 400.0).containsEntry("intr", 200.0);
    assertThat(use.memoryPerSecond()).containsExactly(Map.entry("pswpin", 0.0));
    assertThat(use.disks())
        .containsExactly(Map.entry("sda", new ProcUse.DiskUse(10, 0, 102_400, 0, 0.5)));
  }

  @Test
  void doesNotMeasureACounterThatWentBack() {
    ProcUse use = ProcUse.between(snapshot(0, STAT, DISKS), snapshot(10, LATER_STAT, LATER_DISKS));

    assertThat(use.eventsPerSecond()).doesNotContainKey("processes");
  }

  @Test
  void readsTheLoadAverage() {
    assertThat(snapshot(0, STAT, DISKS).loadAverage()).isEqualTo(0.52);
    assertThat(snapshot(0, STAT, DISKS).warnings()).isEmpty();
  }

  @Test
  void tellsWhatItCouldNotRead() {
    ProcSnapshot snapshot = snapshot(0, "cpu  1 x\nctxt\nprocesses 4", DISKS);

    assertThat(snapshot.cpuTicks()).isEmpty();
    assertThat(snapshot.warnings())
        .containsExactly(
            "/proc/stat: 1 line cut off at the end of the file (first at 3) left out",
            "/proc/stat: 1 line with the wrong number of fields (first at 2) left out",
            "/proc/stat: 1 line with a field that is not a number (first at 1) left out");
  }

  @Test
  void refusesSnapshotsInTheWrongOrder() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProcUse.between(snapshot(10, STAT, DISKS), snapshot(0, STAT, DISKS)));
  }
}
