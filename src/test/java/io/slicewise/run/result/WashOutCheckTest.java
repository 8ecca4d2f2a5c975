package io.slicewise.run.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.stats.Band;
import io.slicewise.stats.CarryOver;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects the sentence on what a previous profile leaves in a window. */
class WashOutCheckTest {
  @Test
  void aShareThatRoundsToNothingHasNoSign() {
    CarryOver left =
        new CarryOver(
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.of(new CarryOver.Share(-0.004, -0.11, 0.1, 1)),
            0.5);
    assertThat(new WashOutCheck("mean", List.of("a", "b"), left, Band.DEFAULT).sentence())
        .contains("0 % [-11, 10] of the previous profile's effect remains")
        .doesNotContain("-0 %");
  }
}
