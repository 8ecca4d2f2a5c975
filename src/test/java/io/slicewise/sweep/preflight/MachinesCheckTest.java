package io.slicewise.sweep.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.monitor.machine.MachineProbe.MachineLook;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What doctor says of a machine that it signed in to. */
class MachinesCheckTest {
  private static List<String> said(List<String> missing, List<String> disks) {
    return MachinesCheck.findings(
            "db", new MachineLook(12.3, 7, missing, 4.5, true, true, disks, "PVH", 1e9))
        .stream()
        .map(finding -> finding.level() + " " + finding.sentence())
        .toList();
  }

  @Test
  void aGuestWithoutDisksLacksNothing() {
    assertThat(said(List.of("/proc/diskstats"), List.of()))
        .containsExactly(
            "OK db (PVH) answers in 12.3 ms, its clock is known to 7 ms; steal counted, pressure"
                + " counted; no disks");
  }

  @Test
  void aMissingFileIsAWarning() {
    assertThat(said(List.of("/proc/vmstat"), List.of("xvda")))
        .containsExactly(
            "OK db (PVH) answers in 12.3 ms, its clock is known to 7 ms; steal counted, pressure"
                + " counted; disks xvda",
            "WARNING db has no /proc/vmstat");
  }
}
