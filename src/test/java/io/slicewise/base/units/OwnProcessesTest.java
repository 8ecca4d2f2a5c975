package io.slicewise.base.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Protects what counts as this program's own work: its processes, also those that have ended. */
class OwnProcessesTest {
  @Test
  void aProcessCountsWithItsEndedChildrenWhateverItsName() {
    String stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 1 2 3 4 100 20 3 1 20 0 1 0 5 6 7";
    assertThat(OwnProcesses.ticks(stat)).isEqualTo(124);
  }

  @Test
  void theWorkOfAChildIsOursAfterItsEnd() throws IOException, InterruptedException {
    double before = OwnProcesses.ticks();
    String work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    assertThat(new ProcessBuilder("sh", "-c", work).start().waitFor()).isZero();
    assertThat(OwnProcesses.ticks()).isGreaterThan(before + 5);
  }
}
