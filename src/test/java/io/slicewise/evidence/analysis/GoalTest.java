package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.evidence.analysis.Goal.Outcome;
import io.slicewise.stats.Estimate;
import org.junit.jupiter.api.Test;

/** Protects: a goal is reached by a whole interval, never by a mean alone. */
class GoalTest {
  private static Estimate between(double low, double high) {
    return new Estimate((low + high) / 2, 1, 5, low, high, 0.95);
  }

  @Test
  void holdsFailsOrIsUnclear() {
    Goal goal = Goal.parse("p95<200");
    assertThat(goal.judge(between(170, 199))).isEqualTo(Outcome.HOLDS);
    assertThat(goal.judge(between(190, 203))).isEqualTo(Outcome.UNCLEAR);
    assertThat(goal.judge(between(200, 260))).isEqualTo(Outcome.FAILS);
    assertThat(goal.judge(new Estimate(150, Double.NaN, 1, Double.NaN, Double.NaN, 0.95)))
        .isEqualTo(Outcome.UNCLEAR);
    assertThat(Goal.parse("throughput > 400").judge(between(401, 420))).isEqualTo(Outcome.HOLDS);
    assertThat(goal).hasToString("p95 < 200 ms");
    assertThat(Goal.parse("p95 < 0.2s")).isEqualTo(goal);
    assertThat(Goal.parse("throughput > 400/s").limit()).isEqualTo(400);
  }

  @Test
  void refusesWhatIsNoGoal() {
    for (String text : new String[] {"p95", "p95<", "speed>3", "errors<1", "p95=200", "p95<2/s"}) {
      assertThatThrownBy(() -> Goal.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
