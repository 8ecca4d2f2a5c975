package io.slicewise.stats;

import java.util.Arrays;

/**
 * Evidence on an effect from pairs of windows whose order a fair coin decided: exact because of the
 * coin, and valid at every look.
 *
 * <p>d_b is ln(candidate / incumbent) in pair b. If the effect is θ in every pair, the coin alone
 * decides the sign of z_b = d_b − θ, given |z_b| and everything before. A bet on that sign, 1 +
 * κ·sign(z_b)·min(|z_b| / c_b, 1) with c_b the median of the |z| before b (0.1 for the first three
 * pairs), therefore has mean 1, and so has the product of such bets. E_n(θ) is the mean of the
 * products over κ in {±0.1, ±0.2, ±0.35, ±0.5, ±0.7, ±0.9}; by Ville's inequality it ever reaches
 * 1/α with probability at most α, whatever the trend, day curve, bursts, tails or autocorrelation
 * of the windows. The interval has those θ for which no look has reached 1/α, so it only shrinks.
 * One outlier costs at most a factor 1 − κ. The estimate is Hodges and Lehmann's, the median of the
 * means of any two pairs.
 *
 * <p>Source: V. H. de la Peña, <i>A general class of exponential inequalities for martingales and
 * ratios</i>, Annals of Probability 27 (1999), on symmetry; A. Ramdas, P. Grünwald, V. Vovk and G.
 * Shafer, <i>Game-theoretic statistics and safe anytime-valid inference</i>, Statistical Science 38
 * (2023), on bets; J. L. Hodges and E. L. Lehmann, <i>Estimates of location based on rank
 * tests</i>, Annals of Mathematical Statistics 34 (1963).
 *
 * <p>Worked example: d = 0.05, −0.2, and θ = 0: bets 1 ± 0.5·κ, then 1 ∓ κ; E_2(0) = mean of 1 −
 * 0.5·κ² = 1 − 0.5·1.7225/6 = 0.856458.
 */
public final class CoinBets {
  private static final double[] SIZES = {0.1, 0.2, 0.35, 0.5, 0.7, 0.9};
  private static final int FIRST = 3;
  private static final double FIRST_SCALE = 0.1;
  private static final double LEAST_SCALE = 1e-6;

  /** Trial effects on either side of the estimate, and how far they reach beyond the data. */
  private static final int STEPS = 48;

  private static final double REACH = 4;
  private static final int HALVINGS = 24;

  private final double[] pairs;
  private final double level;
  private final double estimate;
  private final double low;
  private final double high;

  private CoinBets(double level, double... pairs) {
    this.pairs = pairs;
    this.level = level;
    this.estimate = hodgesLehmann(pairs);
    double centre = isHeld(estimate) ? estimate : bestFitting();
    double step = step();
    this.low = isHeld(centre) ? end(centre, -step) : Double.NaN;
    this.high = isHeld(centre) ? end(centre, step) : Double.NaN;
  }

  /**
   * Returns the evidence of pairs.
   *
   * @param level α, the probability that the interval ever misses a constant effect
   * @param pairs ln(candidate / incumbent), in their order; none at all leaves everything open
   */
  public static CoinBets of(double level, double... pairs) {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException("the level must be between 0 and 1, not " + level);
    }
    if (!Arrays.stream(pairs).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("pairs must be finite, not " + Arrays.toString(pairs));
    }
    return new CoinBets(level, pairs.clone());
  }

  /** Returns the number of pairs. */
  public int n() {
    return pairs.length;
  }

  /** Returns the estimate of the effect, on logarithms; {@code NaN} without pairs. */
  public double estimate() {
    return estimate;
  }

  /** Returns the lower end of the interval; {@code NaN} if no constant effect fits the pairs. */
  public double low() {
    return low;
  }

  /** Returns the upper end of the interval; infinite while too few pairs bound it. */
  public double high() {
    return high;
  }

  /** Returns the evidence against an effect, E_n, after each pair. */
  public double[] evidence(double effect) {
    return run(pairs, effect, true, true);
  }

  /** Returns the largest evidence against an effect at any look; 1 without pairs. */
  public double most(double effect) {
    return Math.max(1, Arrays.stream(evidence(effect)).max().orElse(1));
  }

  /** Returns the p of an effect that is valid at any look: 1 / {@link #most}. */
  public double p(double effect) {
    return 1 / most(effect);
  }

  /** Returns the largest evidence at any look that the effect is above this one. */
  public double mostAbove(double effect) {
    return Math.max(1, Arrays.stream(run(pairs, effect, true, false)).max().orElse(1));
  }

  /** Returns the largest evidence at any look that the effect is below this one. */
  public double mostBelow(double effect) {
    return Math.max(1, Arrays.stream(run(pairs, effect, false, true)).max().orElse(1));
  }

  /** Returns the evidence after the first {@code n} pairs, as it was then. */
  public CoinBets after(int n) {
    return new CoinBets(level, Arrays.copyOf(pairs, n));
  }

  /** Returns the first look at which "no effect" was refuted; 0 if none was. */
  public static int firstRefuted(double level, double effect, double... pairs) {
    double[] evidence = run(pairs, effect, true, true);
    for (int b = 0; b < evidence.length; b++) {
      if (evidence[b] >= 1 / level) {
        return b + 1;
      }
    }
    return 0;
  }

  /** Returns E after each pair, of bets that the effect is above, below, or both. */
  private static double[] run(double[] pairs, double effect, boolean above, boolean below) {
    double[] rises = new double[SIZES.length];
    double[] falls = new double[SIZES.length];
    Arrays.fill(rises, 1);
    Arrays.fill(falls, 1);
    double[] sizes = new double[pairs.length];
    double[] evidence = new double[pairs.length];
    for (int b = 0; b < pairs.length; b++) {
      double z = pairs[b] - effect;
      double scale = b < FIRST ? FIRST_SCALE : Math.max(LEAST_SCALE, Sample.median(sizes, b));
      double bet = Math.max(-1, Math.min(1, z / scale));
      double sum = 0;
      for (int k = 0; k < SIZES.length; k++) {
        rises[k] *= 1 + SIZES[k] * bet;
        falls[k] *= 1 - SIZES[k] * bet;
        sum += (above ? rises[k] : 0) + (below ? falls[k] : 0);
      }
      evidence[b] = sum / (SIZES.length * (above && below ? 2 : 1));
      insert(sizes, b, Math.abs(z));
    }
    return evidence;
  }

  private static void insert(double[] sorted, int n, double value) {
    int found = Arrays.binarySearch(sorted, 0, n, value);
    int place = found < 0 ? -found - 1 : found;
    System.arraycopy(sorted, place, sorted, place + 1, n - place);
    sorted[place] = value;
  }

  private boolean isHeld(double effect) {
    return most(effect) < 1 / level;
  }

  /** Returns the pair that the evidence refutes least. */
  private double bestFitting() {
    double best = Double.NaN;
    double least = Double.POSITIVE_INFINITY;
    for (double pair : pairs) {
      double against = most(pair);
      if (against < least) {
        least = against;
        best = pair;
      }
    }
    return best;
  }

  private double step() {
    double farthest =
        Arrays.stream(pairs).map(pair -> Math.abs(pair - estimate)).max().orElse(Double.NaN);
    return (farthest + FIRST_SCALE) * REACH / STEPS;
  }

  /** Returns the outermost effect on one side of the centre that no look has refuted. */
  private double end(double centre, double step) {
    int last = STEPS;
    while (last > 0 && !isHeld(centre + last * step)) {
      last--;
    }
    if (last == STEPS) {
      return Math.copySign(Double.POSITIVE_INFINITY, step);
    }
    double held = centre + last * step;
    double refuted = held + step;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (held + refuted) / 2;
      if (isHeld(middle)) {
        held = middle;
      } else {
        refuted = middle;
      }
    }
    return refuted;
  }

  private static double hodgesLehmann(double... pairs) {
    int n = pairs.length;
    if (n == 0) {
      return Double.NaN;
    }
    double[] means = new double[n * (n + 1) / 2];
    int at = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i; j < n; j++) {
        means[at++] = (pairs[i] + pairs[j]) / 2;
      }
    }
    Arrays.sort(means);
    return Sample.median(means, means.length);
  }
}
