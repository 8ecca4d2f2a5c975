package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.stats.SwitchedWorld.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Protects what switched sessions promise in the long run, on simulated sessions with noise that
 * remembers, levels drawn at each restart, and settings that act with a delay. Seeds are fixed; the
 * nightly tests do the same with more sessions and print the figures of {@code docs/methods.md}.
 */
class SwitchedSimulationTest {
  private static final long SEED = 20261122;

  /** Half of them the baseline: the first is compared with, the second is its control. */
  private static final double[] EFFECTS = {0, 0, 0.25, -0.2, 0.1};

  /** The 2010 study's noise: CV 25 % a run, 95 % of it drawn at its start; 20 % in 10 s. */
  private static final double LEVEL = 0.25 * Math.sqrt(0.95);

  private static SwitchedWorld sessions(double share, double delay) {
    return new SwitchedWorld(EFFECTS, 10, 30, 5, 0.2, 60, LEVEL, Math.sqrt(share) * LEVEL, delay);
  }

  private static List<List<Seen>> drawn(SwitchedWorld world, int sessions, Random random) {
    List<List<Seen>> drawn = new ArrayList<>();
    for (int s = 0; s < sessions; s++) {
      drawn.add(world.session(random));
    }
    return drawn;
  }

  /** How often the interval holds the truth, over runs and settings. */
  private static double coverage(int sessions, double share, int runs) {
    SwitchedWorld world = sessions(share, 0);
    Random random = new Random(SEED);
    int held = 0;
    for (int run = 0; run < runs; run++) {
      List<List<Seen>> seen = drawn(world, sessions, random);
      Effect effect = world.effect(seen, 1 + run % (EFFECTS.length - 1)).effect();
      double off = Math.abs(effect.logRatio() - EFFECTS[1 + run % (EFFECTS.length - 1)]);
      held += off <= effect.halfWidth(0.95) ? 1 : 0;
    }
    return (double) held / runs;
  }

  /** How often the control of one session differs from the baseline at p below 0.05. */
  private static double falseAlarms(int runs) {
    SwitchedWorld world = sessions(0, 0.8);
    Random random = new Random(SEED);
    int alarms = 0;
    for (int run = 0; run < runs; run++) {
      Effect effect = world.effect(drawn(world, 1, random), 1).effect();
      alarms += effect.pValue() < 0.05 ? 1 : 0;
    }
    return (double) alarms / runs;
  }

  /** How often the control of one session is called better or worse. */
  private static double falseVerdicts(int runs) {
    SwitchedWorld world = sessions(0, 0.8);
    Random random = new Random(SEED);
    int wrong = 0;
    for (int run = 0; run < runs; run++) {
      Effect effect = world.effect(drawn(world, 1, random), 1).effect();
      Verdict verdict = Verdict.of(effect, effect.pValue(), Band.DEFAULT, true);
      wrong += verdict == Verdict.BETTER || verdict == Verdict.WORSE ? 1 : 0;
    }
    return (double) wrong / runs;
  }

  private static double washOutFound(double delay, int runs) {
    SwitchedWorld world = sessions(0.05, delay);
    Random random = new Random(SEED);
    int found = 0;
    for (int run = 0; run < runs; run++) {
      found += world.carryOver(world.session(random)).isFound(Band.DEFAULT) ? 1 : 0;
    }
    return (double) found / runs;
  }

  @Test
  void settingsFoundTwiceSeldomDiffer() {
    assertThat(falseVerdicts(400)).isLessThanOrEqualTo(0.05);
  }

  @Test
  void carryOverThatTheWashOutDoesNotCoverIsFound() {
    assertThat(washOutFound(15, 60)).isGreaterThanOrEqualTo(0.9);
    assertThat(washOutFound(0.8, 100)).isLessThanOrEqualTo(0.1);
  }

  @Test
  void sessionsCoverTheTruth() {
    assertThat(coverage(3, 0.2, 600)).isBetween(0.92, 0.98);
  }

  @Test
  @Tag("nightly")
  void longRun() {
    StringBuilder text = new StringBuilder();
    text.append("verdicts %.4f%n".formatted(falseVerdicts(4000)));
    text.append("alarms %.4f%n".formatted(falseAlarms(4000)));
    for (double delay : new double[] {0, 0.8, 1.5, 5, 10, 15, 30}) {
      text.append("delay %.1f %.4f%n".formatted(delay, washOutFound(delay, 1000)));
    }
    for (int sessions : new int[] {1, 2, 3, 5, 8}) {
      for (double share : new double[] {0, 0.05, 0.2}) {
        text.append(
            "S %d share %.2f %.4f%n".formatted(sessions, share, coverage(sessions, share, 4000)));
      }
    }
    System.err.println(text);
  }
}
