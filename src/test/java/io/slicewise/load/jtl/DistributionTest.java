package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.load.jtl.Tally.Times;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Protects what is told of counted durations: exact by the millisecond, three digits above. */
class DistributionTest {

  @Test
  void tellsThePercentilesOfTheSortedValues() {
    Random random = new Random(7);
    for (int size : new int[] {1, 2, 19, 20, 21, 1000}) {
      int[] values = random.ints(size, 0, Times.EXACT_BELOW).sorted().toArray();
      Distribution distribution = of(values);
      for (double percentile : new double[] {0.1, 5, 50, 95, 99, 99.9, 100}) {
        int rank = (int) Math.max(1, Math.ceil(Math.round(percentile * size * 1000) / 100_000.0));
        assertThat(distribution.percentile(percentile)).isEqualTo(values[rank - 1]);
      }
    }
  }

  @Test
  void tellsSlowOnesToThreeDigits() {
    int[] values = new Random(8).ints(999, 0, Times.LONGEST).sorted().toArray();
    Distribution distribution = of(values);
    for (int percentile = 1; percentile <= 100; percentile++) {
      int value = values[(int) Math.ceil(percentile * 9.99) - 1];
      assertThat((double) distribution.percentile(percentile) / value).isBetween(0.999, 1.001);
    }
    assertThat(distribution.percentile(100)).isEqualTo(values[998]);
    assertThat(distribution.largest()).isEqualTo(values[998]);
    assertThat(distribution.mean()).isEqualTo(Arrays.stream(values).asLongStream().sum() / 999.0);
  }

  @Test
  void hasAllInItsHistogram() {
    int[] values = new Random(9).ints(5000, 0, 20_000).toArray();
    assertThat(of(values).histogram().getTotalCount()).isEqualTo(5000);
    assertThat(of(values)).isEqualTo(of(values)).hasSameHashCodeAs(of(values));
    values[17]++;
    assertThat(of(values)).isNotEqualTo(of(new Random(9).ints(5000, 0, 20_000).toArray()));
  }

  @Test
  void knowsNothingOfNoSamples() {
    Distribution none = of();
    assertThat(none.count()).isZero();
    assertThat(none.mean()).isNaN();
    assertThat(none.deviation()).isNaN();
    assertThat(none.smallest()).isZero();
    assertThat(none.largest()).isZero();
  }

  private static Distribution of(int... values) {
    Times times = new Times();
    Arrays.stream(values).forEach(times::record);
    return times.distribution();
  }
}
