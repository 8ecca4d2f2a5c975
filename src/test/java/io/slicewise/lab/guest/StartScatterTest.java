package io.slicewise.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.guest.ServiceTimes.StartScatter;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;

class StartScatterTest {
  private final AtomicLong clock = new AtomicLong();

  @Test
  void requestsWithoutAPauseBelongToOneStart() {
    StartScatter starts = new StartScatter(0.1, new SplittableRandom(1), clock::get);
    double first = starts.factor();
    for (int request = 0; request < 10; request++) {
      clock.addAndGet(900_000_000L);
      assertThat(starts.factor()).isEqualTo(first);
    }
    clock.addAndGet(1_000_000_000L);
    assertThat(starts.factor()).isNotEqualTo(first);
  }

  @Test
  void startsHaveAMeanOfOneAndTheVariationAskedFor() {
    StartScatter starts = new StartScatter(0.1, new SplittableRandom(1), clock::get);
    double[] factors =
        IntStream.range(0, 20_000)
            .mapToDouble(
                start -> {
                  clock.addAndGet(2_000_000_000L);
                  return starts.factor();
                })
            .toArray();
    assertThat(StatUtils.mean(factors)).isCloseTo(1, within(0.003));
    assertThat(Math.sqrt(StatUtils.variance(factors))).isCloseTo(0.1, within(0.003));
  }

  @Test
  void withoutVariationNothingChanges() {
    StartScatter starts = new StartScatter(0, new SplittableRandom(1), clock::get);
    assertThat(starts.factor()).isEqualTo(1);
  }
}
