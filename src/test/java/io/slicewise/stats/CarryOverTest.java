package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Protects: the p of a carry-over says the same as its intervals. */
class CarryOverTest {
  private static CarryOver of(double drift) {
    Random random = new Random(11);
    List<CarryOver.Window> windows = new ArrayList<>();
    for (int block = 1; block <= 8; block++) {
      for (int setting = 0; setting < 2; setting++) {
        double halves = (setting == 1 ? drift : 0) + 0.01 * random.nextGaussian();
        double log = 0.2 * setting + 0.01 * random.nextGaussian();
        windows.add(new CarryOver.Window(1, block, setting, 1 - setting, log, halves));
      }
    }
    return CarryOver.of(windows, 2);
  }

  @Test
  void isBelowFivePercentWhereAnIntervalExcludesNothing() {
    CarryOver found = of(0.1);
    assertThat(found.isFound(Band.DEFAULT)).isTrue();
    assertThat(found.p(Band.DEFAULT)).isLessThan(0.001);
    assertThat(found.largest(Band.DEFAULT)).isCloseTo(0.1, within(0.02));
  }

  @Test
  void isOneWhereNoneDoes() {
    CarryOver none = of(0);
    assertThat(none.isFound(Band.DEFAULT)).isFalse();
    assertThat(none.p(Band.DEFAULT)).isEqualTo(1);
    assertThat(none.largest(Band.DEFAULT)).isZero();
    none.halves()
        .forEach(one -> assertThat(one.p() < 0.05).isEqualTo(one.low() > 0 || one.high() < 0));
    assertThat(CarryOver.of(List.of(), 2).p(Band.DEFAULT)).isNaN();
  }
}
