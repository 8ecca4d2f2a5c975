package io.slicewise.base.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Protects what is taken for a busy machine: everything but idle and waiting for disks. */
class MachineTimesTest {
  private static final String BEFORE =
      """
      cpu  1000 50 300 8000 400 10 40 200 0 0
      cpu0 500 25 150 4000 200 5 20 100 0 0
      """;

  @Test
  void whatOthersUseAndWhatTheHypervisorTakesIsBusy() {
    MachineTimes before = MachineTimes.parse(BEFORE);
    // 60 user, 20 system, 20 stolen; 90 idle, 10 waiting for disks.
    MachineTimes after = MachineTimes.parse("cpu  1060 50 320 8090 410 10 40 220 30 0\n");
    assertThat(after.busySince(before)).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void ofTheCoresOfAConfinedProcessOnlyThose() {
    String before =
        "cpu  0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\ncpu10 0 0 0 0 0 0 0 0\n";
    String after =
        "cpu  0 0 0 0 0 0 0 0\ncpu0 100 0 0 0 0 0 0 0\ncpu1 25 0 0 75 0 0 0 0\ncpu10 0 0 0 100 0 0 0 0\n";
    assertThat(busy(before, after, "1")).isEqualTo(0.25);
    assertThat(busy(before, after, "0-1")).isEqualTo(0.625);
    assertThat(busy(before, after, "0,8-15")).isEqualTo(0.5);
    assertThat(busy(before, after, "7")).isNaN();
  }

  private static double busy(String before, String after, String cores) {
    OwnCores own = new OwnCores(cores);
    return MachineTimes.parse(after, own).busySince(MachineTimes.parse(before, own));
  }

  @Test
  void withoutCountersNothingIsKnown() {
    MachineTimes before = MachineTimes.parse(BEFORE);
    assertThat(before.busySince(before)).isNaN();
    assertThat(MachineTimes.parse("").busySince(before)).isNaN();
  }
}
