package io.slicewise.sweep;

import io.slicewise.KeepsTheMachineBusy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects what {@link KilledAndRestoredTest} does, by a few of its cases. */
@KeepsTheMachineBusy
class KilledBrieflyTest extends KilledRuns {
  @ParameterizedTest
  @CsvSource({
    "TRIALS, INSIDE_A_CHANGE, RESTORE",
    "LIBVIRT_V2, IN_A_WINDOW, RESUME",
    "SESSION, INSIDE_A_CHANGE, DEAD_MAN",
  })
  void aKilledRunLeavesTheHostAsFound(Study study, Moment moment, Restorer by) throws Exception {
    killAndRestore(study, moment, by);
  }
}
