package io.slicewise.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.tune.Posterior.StudentTail;
import org.apache.commons.math3.distribution.TDistribution;
import org.junit.jupiter.api.Test;

/** Holds the fast tail against the exact one. */
class StudentTailTest {
  @Test
  void isCloseToTheExactProbability() {
    for (double freedom : new double[] {2, 2.5, 3, 4, 7, 20, 300}) {
      TDistribution exact = new TDistribution(null, freedom);
      for (double t = -8; t <= 8; t += 0.1) {
        assertThat(StudentTail.cumulative(t, freedom))
            .isCloseTo(exact.cumulativeProbability(t), within(freedom < 4 ? 0.004 : 0.001));
      }
    }
  }
}
