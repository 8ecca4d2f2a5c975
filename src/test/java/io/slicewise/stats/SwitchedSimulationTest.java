package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.DocumentSection;
import io.slicewise.stats.SwitchedWorld.Seen;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Protects what switched sessions promise in the long run, on simulated sessions with noise that
 * remembers, levels drawn at each restart, and settings that act with a delay. Seeds are fixed; the
 * nightly test does the same with more sessions and holds the figures of {@code docs/methods.md}.
 */
class SwitchedSimulationTest {
  private static final long SEED = 20261122;

  /** Half of them the baseline: the first is compared with, the second is its control. */
  private static final List<Double> EFFECTS = List.of(0.0, 0.0, 0.25, -0.2, 0.1);

  /** The 2010 study's noise: CV 25 % a run, 95 % of it drawn at its start; 20 % in 10 s. */
  private static final double LEVEL = 0.25 * Math.sqrt(0.95);

  private static SwitchedWorld sessions(double share, double delay) {
    return sessions(60, share, delay);
  }

  private static SwitchedWorld sessions(double memory, double share, double delay) {
    return new SwitchedWorld(
        EFFECTS, 10, 30, 5, 0.2, memory, LEVEL, Math.sqrt(share) * LEVEL, delay);
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
      Effect effect = world.effect(seen, 1 + run % (EFFECTS.size() - 1)).effect();
      double off = Math.abs(effect.logRatio() - EFFECTS.get(1 + run % (EFFECTS.size() - 1)));
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
      Verdict verdict = Verdict.of(effect, effect.pValue(), 1, Band.DEFAULT, true);
      wrong += verdict == Verdict.BETTER || verdict == Verdict.WORSE ? 1 : 0;
    }
    return (double) wrong / runs;
  }

  /** How often either check finds that 5 s of wash-out are too short for such a delay. */
  private static double washOutFound(double delay, int sessions, int runs) {
    return washOutFound(sessions(0.05, delay), sessions, runs);
  }

  private static double washOutFound(SwitchedWorld world, int sessions, int runs) {
    Random random = new Random(SEED);
    int found = 0;
    for (int run = 0; run < runs; run++) {
      List<List<Seen>> seen = drawn(world, sessions, random);
      found += world.carryOver(seen).isFound(Band.DEFAULT) ? 1 : 0;
    }
    return (double) found / runs;
  }

  @Test
  void settingsFoundTwiceSeldomDiffer() {
    assertThat(falseVerdicts(400)).isLessThanOrEqualTo(0.05);
  }

  @Test
  void carryOverThatTheWashOutDoesNotCoverIsFound() {
    assertThat(washOutFound(15, 3, 40)).isGreaterThanOrEqualTo(0.9);
    assertThat(washOutFound(0.8, 1, 100)).isLessThanOrEqualTo(0.1);
  }

  @Test
  void sessionsCoverTheTruth() {
    assertThat(coverage(3, 0.2, 400)).isBetween(0.92, 0.98);
  }

  @Test
  @Tag("nightly")
  void documentShowsWhatWasSimulated() {
    StringBuilder text = new StringBuilder();
    text.append("| settings found twice, one session | of 4,000 |\n|---|---:|\n");
    double verdicts = falseVerdicts(4_000);
    double alarms = falseAlarms(4_000);
    text.append(row("called better or worse", verdicts));
    text.append(row("p below 0.05: a false alarm", alarms));
    assertThat(verdicts).isLessThanOrEqualTo(0.05);
    assertThat(alarms).isLessThanOrEqualTo(0.055);
    text.append("\n| found too short, wash-out 5 s | 1 session | 3 sessions |\n|---|---:|---:|\n");
    for (double delay : new double[] {0, 0.8, 5, 10, 15}) {
      double one = washOutFound(delay, 1, 1_000);
      double three = washOutFound(delay, 3, 500);
      text.append(row("settings act with a delay of %s s".formatted(plain(delay)), one, three));
      assertThat(three).isBetween(delay >= 10 ? 0.9 : 0, delay < 1 ? 0.05 : 1);
      assertThat(one).isLessThanOrEqualTo(delay < 1 ? 0.05 : 1);
    }
    for (int memory : new int[] {20, 300}) {
      double one = washOutFound(sessions(memory, 0.05, 0), 1, 1_000);
      double three = washOutFound(sessions(memory, 0.05, 0), 3, 500);
      text.append(row("at once, correlation time of the noise %d s".formatted(memory), one, three));
      assertThat(Math.max(one, three)).isLessThanOrEqualTo(0.05);
    }
    text.append(
        "\n| the 95 % interval holds the truth; particular to a profile of a restart's variance |"
            + " 0 % | 5 % | 20 % |\n|---|---:|---:|---:|\n");
    for (int sessions : new int[] {1, 2, 3, 5, 8}) {
      double[] covered = new double[3];
      Arrays.setAll(covered, i -> coverage(sessions, new double[] {0, 0.05, 0.2}[i], 4_000));
      text.append(row(sessions + (sessions == 1 ? " session" : " sessions"), covered));
      if (sessions >= SessionEffect.REPLICATES) {
        Arrays.stream(covered).forEach(share -> assertThat(share).isBetween(0.935, 0.965));
      }
    }
    DocumentSection.of("docs/methods.md", "switched").holds(text.toString());
  }

  private static String plain(double delay) {
    return BigDecimal.valueOf(delay).stripTrailingZeros().toPlainString();
  }

  private static String row(String what, double... shares) {
    StringBuilder row = new StringBuilder("| " + what + " |");
    for (double share : shares) {
      row.append(String.format(Locale.ROOT, " %.1f %% |", 100 * share));
    }
    return row.append('\n').toString();
  }
}
