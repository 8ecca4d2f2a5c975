package io.slicewise.sweep;

import io.slicewise.KeepsTheMachineBusy;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Protects the promise to whoever owns the host: a run killed with SIGKILL at any point leaves a
 * journal, and if asked for a dead man's switch, from which every setting is put back, and no
 * finished trial is lost or counted twice. Each of what runs occurs with each of what restores the
 * host, except that one way to resume stands for both, and with some moments of the kill.
 */
@Tag("thorough")
@KeepsTheMachineBusy
class KilledAndRestoredTest extends KilledRuns {
  @ParameterizedTest
  @CsvSource({
    "TRIALS, INSIDE_A_CHANGE, RESTORE",
    "TRIALS, IN_A_WINDOW, RESUME",
    "TRIALS, INSIDE_A_CHANGE, ARMED_RESUME",
    "TRIALS, IN_A_WINDOW, DEAD_MAN",
    "SPLIT_POOL, IN_A_WINDOW, RESTORE",
    "SPLIT_POOL, INSIDE_A_CHANGE, RESUME",
    "SPLIT_POOL, INSIDE_A_CHANGE, DEAD_MAN",
    "SESSION, IN_A_WINDOW, RESTORE",
    "SESSION, BEFORE_A_WINDOW, RESUME",
    "SESSION, IN_A_WINDOW, ARMED_RESUME",
    "SESSION, INSIDE_A_CHANGE, DEAD_MAN",
    "LIBVIRT_V1, INSIDE_A_CHANGE, RESTORE",
    "LIBVIRT_V1, IN_A_WINDOW, RESUME",
    "LIBVIRT_V1, IN_A_WINDOW, DEAD_MAN",
    "LIBVIRT_V2, IN_A_WINDOW, RESTORE",
    "LIBVIRT_V2, INSIDE_A_CHANGE, ARMED_RESUME",
    "LIBVIRT_V2, INSIDE_A_CHANGE, DEAD_MAN",
  })
  void aKilledRunLeavesTheHostAsFound(Study study, Moment moment, Restorer by) throws Exception {
    killAndRestore(study, moment, by);
  }

  @ParameterizedTest
  @EnumSource(Study.class)
  @Tag("nightly")
  void nothingIsLeftWheneverARunIsKilled(Study study) throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int kills = Integer.getInteger("slicewise.kills", 40);
    for (int kill = 0; kill < kills; kill++) {
      killAfter(
          study, random.nextInt(1, 12_000), "kill %d of %s, seed %d".formatted(kill, study, seed));
    }
  }
}
