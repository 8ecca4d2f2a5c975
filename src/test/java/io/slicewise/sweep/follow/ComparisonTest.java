package io.slicewise.sweep.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.sweep.policy.LoadMetric;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.Policy.Band;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A comparison proves a policy only if its requests took less time with it, by pairs of windows.
 */
class ComparisonTest {
  private static final Policy POLICY = policy("web", 30);

  @TempDir Path directory;

  private static Policy policy(String name, double edge) {
    return new Policy(
        name,
        LoadMetric.REQUESTS,
        new Policy.Basis(Optional.empty(), List.of("a-run")),
        Policy.Pace.DEFAULT,
        List.of(
            new Band(0, edge, 10, 20, "as-found", Optional.empty()),
            new Band(edge, Double.POSITIVE_INFINITY, 40, 60, "w512", Optional.empty())),
        List.of(),
        "as-found",
        Optional.empty());
  }

  /** Windows of 10 s, in which requests take as long as the arm in force makes them. */
  private void compare(int pairs, double followed) {
    Comparison comparison = new Comparison(POLICY, Duration.ofSeconds(10), 1);
    comparison.begin(directory);
    Instant start = Instant.parse("2026-11-24T00:00:00Z");
    for (int second = 0; second <= 20 * pairs; second++) {
      Instant now = start.plusSeconds(second);
      comparison.turn(now);
      double millis = (comparison.isFixed() ? 100 : followed) * (1 + second % 7 / 1000.0);
      comparison.take(new LoadSource.Reading(now, 20, 20, 20 * Math.log(millis)));
    }
  }

  @Test
  void provesAPolicyWhoseRequestsTakeLessTime() {
    compare(20, 80);
    Policy.Proof proof = Comparison.proof(POLICY, directory);
    assertThat(proof.pairs()).isEqualTo(20);
    assertThat(proof.percent()).isBetween(-20.5, -19.5);
    assertThat(proof.low()).isLessThanOrEqualTo(proof.percent());
    assertThat(proof.high()).isNegative();
    assertThat(proof.against()).isEqualTo("as-found");
  }

  @Test
  void provesNothingWhereBothTakeTheSameTime() {
    compare(20, 100);
    assertThatThrownBy(() -> Comparison.proof(POLICY, directory))
        .hasMessageContaining("does not show that the policy is better than as-found: 20 pairs");
  }

  @Test
  void provesNothingOfAnotherPolicy() {
    compare(20, 80);
    assertThatThrownBy(() -> Comparison.proof(policy("web", 35), directory))
        .hasMessageContaining("compared other bands or settings than those of policy web");
  }

  @Test
  void refusesADirectoryWithoutAComparison() {
    assertThatThrownBy(() -> Comparison.proof(POLICY, directory.resolve("none")))
        .hasMessageContaining("is no comparison of a policy with a fixed setting");
  }
}
