package io.slicewise.stats.power;

import io.slicewise.stats.CoinBets;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Random;

/**
 * How many pairs {@link CoinBets} needs to show an effect, from pairs that were measured.
 *
 * <p>The measured pairs, less their own effect, are repeated in their order as often as needed, a
 * coin is tossed anew for each, and the effect is added; the median of {@value #STUDIES} such
 * studies is the number. Order and size of bursts are thus those of the load that was measured.
 *
 * <p>Source: the randomisation distribution, R. A. Fisher, <i>The Design of Experiments</i> (1935),
 * chapter 3; H. R. Künsch, <i>The jackknife and the bootstrap for general stationary
 * observations</i>, Annals of Statistics 17 (1989), on keeping neighbours together.
 *
 * <p>Worked example: pairs that do not scatter at all show any effect in 8 pairs at 5 %: with every
 * bet won in full, E_7 is 13.5 and E_8 is 23.6.
 */
public final class CoinPower {
  /** Beyond that many pairs the number is unknown. */
  public static final int MOST = 500;

  private static final int STUDIES = 200;
  private static final long SEED = 20261124;

  private final double level;
  private final double[] noise;

  /**
   * Creates the power of studies with that noise.
   *
   * @param level α of each comparison
   * @param pairs as measured, at least two
   */
  public CoinPower(double level, double... pairs) {
    if (pairs.length < 2) {
      throw new IllegalArgumentException("two pairs are the fewest that scatter");
    }
    double middle = CoinBets.of(level, pairs).estimate();
    this.level = level;
    this.noise = Arrays.stream(pairs).map(pair -> pair - middle).toArray();
  }

  /**
   * Returns the number of pairs after which half of all studies have shown the change.
   *
   * @param change as a share, such as 0.05
   * @return empty if that takes more than {@value #MOST} pairs
   */
  public OptionalInt pairs(double change) {
    return pairs(change, noise.length);
  }

  /**
   * Returns the number of pairs that must run, if only some of them count.
   *
   * @param ran pairs of which those that were measured counted
   */
  public OptionalInt pairs(double change, int ran) {
    Random coin = new Random(SEED);
    int[] shown = new int[STUDIES];
    double[] drawn = new double[MOST];
    for (int study = 0; study < STUDIES; study++) {
      int start = coin.nextInt(noise.length);
      for (int b = 0; b < MOST; b++) {
        double size = noise[(start + b) % noise.length];
        drawn[b] = Math.log1p(change) + (coin.nextBoolean() ? size : -size);
      }
      int first = CoinBets.firstRefuted(level, 0, drawn);
      shown[study] = first == 0 ? Integer.MAX_VALUE : first;
    }
    Arrays.sort(shown);
    double needed = Math.ceil((double) shown[STUDIES / 2] * ran / noise.length);
    return needed > MOST ? OptionalInt.empty() : OptionalInt.of((int) needed);
  }
}
