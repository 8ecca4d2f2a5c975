package io.slicewise.sweep.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.sweep.policy.BandChoice.Change;
import io.slicewise.sweep.policy.Policy.Band;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Protects the host from a policy that changes settings too often: a step of the load costs two
 * changes at most, and noise none.
 */
class BandChoiceTest {
  private static final Instant START = Instant.parse("2026-11-24T00:00:00Z");
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;

  /** Edges at 20, 50 and 100 requests a second. */
  private static final Policy FOUR = policy(20, 50, 100);

  private static final Policy TWO = policy(50);

  private static Policy policy(double... edges) {
    List<Band> bands = new ArrayList<>();
    double from = 0;
    for (double edge : edges) {
      bands.add(band(from, edge));
      from = edge;
    }
    bands.add(band(from, Double.POSITIVE_INFINITY));
    return new Policy(
        "web",
        LoadMetric.REQUESTS,
        new Policy.Basis(Optional.of("dom0"), List.of("run")),
        Policy.Pace.DEFAULT,
        bands,
        List.of(),
        "as-found",
        Optional.empty());
  }

  private static Band band(double from, double to) {
    return new Band(from, to, from, Math.min(to, 1000), "from-" + (int) from, Optional.empty());
  }

  /** Follows a rate of arrivals, which are those of a Poisson process. */
  private static List<Change> follow(
      Policy policy, long seed, int seconds, DoubleUnaryOperator rate) {
    Random random = new Random(seed);
    BandChoice choice = new BandChoice(policy);
    List<Change> changes = new ArrayList<>();
    for (int second = 0; second < seconds; second++) {
      double mean = rate.applyAsDouble(second);
      choice
          .take(START.plusSeconds(second), (double) arrivals(random, mean))
          .ifPresent(changes::add);
    }
    return changes;
  }

  private static long arrivals(Random random, double mean) {
    if (mean > 30) {
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    long count = 0;
    double time = -Math.log1p(-random.nextDouble());
    while (time < mean) {
      count++;
      time -= Math.log1p(-random.nextDouble());
    }
    return count;
  }

  @Test
  void choosesOnceAWholeWindowIsRead() {
    List<Change> changes = follow(TWO, 1, HOUR, second -> 10);
    assertThat(changes).hasSize(1);
    assertThat(changes.get(0).from()).isEmpty();
    assertThat(changes.get(0).to().profile()).isEqualTo("from-0");
    assertThat(changes.get(0).at()).isEqualTo(START.plusSeconds(MINUTE));
  }

  @Test
  void stepCostsAtMostTwoChanges() {
    int most = 0;
    for (int seed = 0; seed < 200; seed++) {
      double low = 5 + seed % 12;
      double high = 130 + 3 * (seed % 50);
      int step = HOUR / 2 + seed;
      List<Change> changes =
          follow(FOUR, seed, HOUR, second -> (second < step) == (low < high) ? low : high);
      most = Math.max(most, changes.size() - 1);
      Change last = changes.get(changes.size() - 1);
      assertThat(last.to().profile()).isEqualTo("from-100");
      assertThat(Duration.between(START.plusSeconds(step), last.at()))
          .isLessThan(Duration.ofMinutes(7));
    }
    assertThat(most).isBetween(1, 2);
  }

  @Test
  void noiseAtAnEdgeChangesNothing() {
    int changed = 0;
    for (int seed = 0; seed < 200; seed++) {
      changed += follow(TWO, seed, 2 * HOUR, second -> 50).size() - 1;
    }
    assertThat(changed).as("in 400 hours at the edge").isZero();
  }

  @Test
  void burstsOfFewRequestsChangeNothing() {
    Policy slow = policy(2);
    int changed = 0;
    for (int seed = 0; seed < 200; seed++) {
      changed += follow(slow, seed, 2 * HOUR, second -> 2).size() - 1;
    }
    assertThat(changed).as("in 400 hours of 2 requests a second").isZero();
  }

  @Test
  void rampChangesOnceAtEachEdge() {
    for (int seed = 0; seed < 50; seed++) {
      List<Change> up = follow(FOUR, seed, 4 * HOUR, second -> 5 + 145.0 * second / (4 * HOUR));
      assertThat(up)
          .extracting(change -> change.to().profile())
          .containsExactly("from-0", "from-20", "from-50", "from-100");
    }
  }

  @Test
  void hourlyWaveChangesTwiceAnHour() {
    for (int seed = 0; seed < 20; seed++) {
      List<Change> changes =
          follow(TWO, seed, 10 * HOUR, s -> 50 + 40 * Math.sin(2 * Math.PI * s / HOUR));
      assertThat(changes.size()).isBetween(20, 22);
    }
  }

  @Test
  void staysForTheMinimumTime() {
    List<Change> changes = follow(TWO, 3, 4 * HOUR, s -> (s / (2 * MINUTE)) % 2 == 0 ? 10 : 200);
    for (int i = 1; i < changes.size(); i++) {
      assertThat(Duration.between(changes.get(i - 1).at(), changes.get(i).at()))
          .isGreaterThanOrEqualTo(Policy.Pace.DEFAULT.stay());
    }
  }

  @Test
  void forgetsReadingsAndKeepsTheBandAfterASilence() {
    BandChoice choice = new BandChoice(TWO);
    for (int second = 0; second <= MINUTE; second++) {
      choice.take(START.plusSeconds(second), 10);
    }
    choice.forget();
    assertThat(choice.current().orElseThrow().profile()).isEqualTo("from-0");
    assertThat(choice.mean()).isNaN();
    assertThat(choice.take(START.plusSeconds(HOUR), 200)).isEmpty();
  }
}
