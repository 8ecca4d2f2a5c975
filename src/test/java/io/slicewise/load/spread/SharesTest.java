package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.load.spread.SplitPlan.Shares;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Users are split completely, by weight, and the rest goes to the first. */
class SharesTest {
  @Test
  void splitsTwentyFiveOverThree() {
    assertThat(Shares.split(25, List.of(1, 1, 1))).containsExactly(9, 8, 8);
    assertThat(Shares.split(25, List.of(1, 1))).containsExactly(13, 12);
    assertThat(Shares.split(2, List.of(1, 1, 1))).containsExactly(1, 1, 0);
    assertThat(Shares.split(10, List.of(1, 3))).containsExactly(3, 7);
  }

  @Property
  void losesNoneAndStaysWithinOneOfTheShare(
      @ForAll @IntRange(max = 100_000) int total,
      @ForAll @Size(min = 1, max = 9) List<@IntRange(min = 1, max = 1_000) Integer> weights) {
    List<Integer> parts = Shares.split(total, weights);
    double sum = weights.stream().mapToInt(Integer::intValue).sum();
    assertThat(parts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(total);
    IntStream.range(0, parts.size())
        .forEach(
            i -> assertThat(Math.abs(parts.get(i) - total * weights.get(i) / sum)).isLessThan(1.0));
  }
}
