package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.DocumentSection;
import io.slicewise.stats.power.CoinPower;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Protects that evidence by coins is exact: its values by their definition, and its promises. */
class CoinBetsTest {
  /** Twenty pairs of about −8 %, one of them in a burst; figures below by the definition, apart. */
  private static final double[] PAIRS = {
    -0.08, -0.11, 0.02, -0.09, -0.05, -0.35, -0.07, -0.12, 0.04, -0.06, -0.1, -0.08, -0.03, -0.09,
    -0.13, -0.07, -0.02, -0.1, -0.06, -0.09
  };

  /** As in a tune's confirmation, a sign alone is no change that matters. */
  @Test
  void aChangeInsideTheBandIsNone() {
    double[] small = new double[60];
    Arrays.setAll(small, i -> -0.012 + (i % 2 == 0 ? 0.001 : -0.001));
    CoinBets bets = CoinBets.of(0.05, small);
    assertThat(bets.high()).isLessThan(0);
    assertThat(bets.low()).isGreaterThan(Band.DEFAULT.low());
    assertThat(Verdict.of(bets, Band.DEFAULT, false)).isEqualTo(Verdict.SAME);
    double[] large = Arrays.stream(small).map(pair -> 4 * pair).toArray();
    assertThat(Verdict.of(CoinBets.of(0.05, large), Band.DEFAULT, false)).isEqualTo(Verdict.BETTER);
  }

  @Test
  void evidenceIsThatOfTheDefinition() {
    assertThat(CoinBets.of(0.05, 0.05, -0.2).evidence(0))
        .containsExactly(new double[] {1, 0.8564583333333333}, within(1e-12));
    assertThat(CoinBets.of(0.05, PAIRS).evidence(0))
        .startsWith(new double[] {1}, within(1e-9))
        .endsWith(new double[] {377.746287259, 615.183760087, 1134.981647253}, within(1e-6));
    assertThat(CoinBets.of(0.05, PAIRS).most(-0.05)).isCloseTo(4.346298113345526, within(1e-9));
    assertThat(CoinBets.of(0.05, PAIRS).mostBelow(-0.02))
        .isCloseTo(324.0534930023327, within(1e-6));
    assertThat(CoinBets.of(0.05, PAIRS).mostAbove(-0.02)).isEqualTo(1);
  }

  @Test
  void intervalHasTheEffectsThatNoLookRefutes() {
    CoinBets bets = CoinBets.of(0.05, PAIRS);
    assertThat(bets.estimate()).isCloseTo(-0.0775, within(1e-12));
    assertThat(bets.low()).isCloseTo(-0.10831188748305068, within(1e-6));
    assertThat(bets.high()).isCloseTo(-0.03825222642281005, within(1e-6));
    assertThat(bets.p(0)).isCloseTo(1 / 1134.981647253, within(1e-9));
  }

  @Test
  void intervalOnlyShrinks() {
    double low = Double.NEGATIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    CoinBets all = CoinBets.of(0.05, PAIRS);
    for (int n = 0; n <= PAIRS.length; n++) {
      CoinBets then = all.after(n);
      assertThat(then.n()).isEqualTo(n);
      if (n > 0) {
        assertThat(then.low()).isGreaterThanOrEqualTo(low - 1e-5);
        assertThat(then.high()).isLessThanOrEqualTo(high + 1e-5);
        low = then.low();
        high = then.high();
      }
    }
    assertThat(low).isFinite();
    assertThat(high).isFinite();
  }

  @Test
  void fewPairsBoundNothing() {
    CoinBets bets = CoinBets.of(0.05, 0.1, 0.1, 0.1);
    assertThat(bets.low()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(bets.high()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(CoinBets.of(0.05).estimate()).isNaN();
    assertThat(CoinBets.of(0.05).p(0)).isEqualTo(1);
  }

  @Test
  void refusesWhatIsNoPairAndNoLevel() {
    assertThatIllegalArgumentException().isThrownBy(() -> CoinBets.of(0, 0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> CoinBets.of(0.05, Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> new CoinPower(0.05, 0.1));
  }

  @Test
  void pairsWithoutScatterShowAnyEffectInEight() {
    double[] calm = new double[4];
    Arrays.fill(calm, 0.01);
    assertThat(new CoinPower(0.05, calm).pairs(0.2)).hasValue(8);
  }

  @Test
  void moreScatterNeedsMorePairs() {
    CoinPower power = new CoinPower(0.05, PAIRS);
    int large = power.pairs(0.1).orElseThrow();
    int small = power.pairs(0.03).orElseThrow();
    assertThat(large).isBetween(8, 20);
    assertThat(small).isGreaterThan(2 * large);
    double[] wide = Arrays.stream(PAIRS).map(pair -> 20 * pair).toArray();
    assertThat(new CoinPower(0.05, wide).pairs(0.03)).isEmpty();
  }

  @Test
  void errsSeldomUnderEveryKindOfNoise() {
    for (Noise noise : Noise.values()) {
      Cell none = new World(noise, 0, 0, 40).studies(1_000);
      assertThat(none.shown()).as("%s", noise).isLessThan(0.045);
      Cell some = new World(noise, 0.1, 0, 40).studies(300);
      assertThat(some.held()).as("%s", noise).isGreaterThan(0.955);
      assertThat(some.wrong()).as("%s", noise).isLessThan(0.02);
    }
  }

  @Test
  @Tag("nightly")
  void documentShowsWhatPairsFind() {
    StringBuilder text = new StringBuilder();
    text.append("| windows | no effect, 40 pairs | 200 pairs | +3 % | +5 % | +10 % | +20 % |");
    text.append(" −20 % | +20 %, 30 % of it carried over | interval holds +5, +10, +20 % |\n");
    text.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (Noise noise : Noise.values()) {
      text.append("| %s |".formatted(noise.words));
      for (int pairs : new int[] {40, 200}) {
        Cell none = new World(noise, 0, 0, pairs).studies(10_000);
        assertThat(none.shown()).as("%s", noise).isLessThan(0.05);
        text.append(String.format(Locale.ROOT, " %.1f %% |", 100 * none.shown()));
      }
      double[] held = new double[3];
      int at = 0;
      for (double effect : new double[] {0.03, 0.05, 0.1, 0.2, -0.2}) {
        Cell cell = new World(noise, effect, 0, 40).studies(10_000);
        assertThat(cell.wrong()).as("%s %s", noise, effect).isLessThan(0.01);
        text.append(cell.text());
        if (effect > 0.03) {
          assertThat(cell.held()).as("%s %s", noise, effect).isGreaterThan(0.95);
          held[at++] = 100 * cell.held();
        }
      }
      Cell carried = new World(noise, 0.2, 0.3, 40).studies(10_000);
      assertThat(carried.wrong()).as("%s", noise).isLessThan(0.01);
      text.append(carried.text());
      text.append(
          String.format(Locale.ROOT, " %.1f, %.1f, %.1f %% |\n", held[0], held[1], held[2]));
    }
    DocumentSection.of("docs/methods.md", "pairs").holds(text.toString());
  }

  /** How the windows of a study vary: by 10 %, and by what the load does besides. */
  private enum Noise {
    INDEPENDENT("independent"),
    REMEMBERS("AR(1) 0.8"),
    HEAVY("t₂, AR(1) 0.8"),
    TREND("trend"),
    DAY("day curve"),
    BURSTS("bursts");

    private final String words;

    Noise(String words) {
      this.words = words;
    }

    /** Returns the logarithms of the windows of a study. */
    double[] windows(int count, Random random) {
      double[] windows = new double[count];
      double memory = 0;
      for (int i = 0; i < count; i++) {
        double shock = random.nextGaussian();
        if (this == HEAVY) {
          shock *= 0.5 / Math.sqrt(-Math.log(1 - random.nextDouble()));
        }
        memory = (this == INDEPENDENT ? 0 : 0.8) * memory + shock;
        windows[i] = 0.1 * memory;
        if (this == TREND) {
          windows[i] += 3.0 * i / count;
        } else if (this == DAY) {
          windows[i] += 0.5 * Math.sin(4 * Math.PI * i / count);
        } else if (this == BURSTS && random.nextDouble() < 0.05) {
          windows[i] -= Math.log(1 - random.nextDouble());
        }
      }
      return windows;
    }
  }

  /** What many studies of one kind found. */
  private record Cell(double shown, int median, double wrong, double held) {
    String text() {
      return shown > 0.5
          ? String.format(Locale.ROOT, " %.0f %%, %d pairs |", 100 * shown, median)
          : String.format(Locale.ROOT, " %.0f %% |", 100 * shown);
    }
  }

  /** Studies in a world with one kind of noise and one effect. */
  private record World(Noise noise, double effect, double carried, int pairs) {
    Cell studies(int count) {
      Random random = new Random(20261124);
      int[] first = new int[count];
      int shown = 0;
      int wrong = 0;
      int held = 0;
      for (int study = 0; study < count; study++) {
        double[] found = study(random);
        int look = CoinBets.firstRefuted(0.05, 0, found);
        first[study] = look == 0 ? Integer.MAX_VALUE : look;
        if (look > 0) {
          shown++;
          double middle =
              Arrays.stream(found, 0, look).sorted().skip((look - 1) / 2).findFirst().orElseThrow();
          wrong += middle * effect < 0 ? 1 : 0;
        }
        held += CoinBets.firstRefuted(0.05, effect, found) == 0 ? 1 : 0;
      }
      Arrays.sort(first);
      return new Cell(
          (double) shown / count,
          first[count / 2],
          shown == 0 ? 0 : (double) wrong / shown,
          (double) held / count);
    }

    private double[] study(Random random) {
      double[] windows = noise.windows(2 * pairs, random);
      double[] found = new double[pairs];
      boolean before = false;
      for (int b = 0; b < pairs; b++) {
        boolean candidateFirst = random.nextBoolean();
        double first = windows[2 * b] + share(candidateFirst, before);
        double second = windows[2 * b + 1] + share(!candidateFirst, candidateFirst);
        found[b] = candidateFirst ? first - second : second - first;
        before = !candidateFirst;
      }
      return found;
    }

    private double share(boolean candidate, boolean candidateBefore) {
      return effect * ((candidate ? 1 - carried : 0) + (candidateBefore ? carried : 0));
    }
  }
}
