package io.slicewise.stats;

import io.slicewise.stats.power.DesignPower;
import io.slicewise.stats.power.SteinTwoStage;
import io.slicewise.stats.table.NeighbourBlocks;
import io.slicewise.stats.table.OrderDrift;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/** Repeats a procedure on random observations and counts how often it tells the truth. */
final class Simulation {
  private static final double CONFIDENCE = 0.95;

  private final Random random;
  private final int rounds;

  Simulation(long seed, int rounds) {
    this.random = new Random(seed);
    this.rounds = rounds;
  }

  /** How often Student's interval holds the mean of shape(Z), Z standard normal. */
  double studentCoverage(int n, DoubleUnaryOperator shape, double truth) {
    double factor = factor(n);
    int held = 0;
    for (int round = 0; round < rounds; round++) {
      double[] x = sample(n, shape);
      if (Math.abs(Sample.mean(x) - truth) <= factor * Sample.deviation(x)) {
        held++;
      }
    }
    return (double) held / rounds;
  }

  /** How often the logarithmic interval holds the median of e^(sigma·Z). */
  double logCoverage(int n, double sigma) {
    Estimate one = LogInterval.of(CONFIDENCE, oneOf(n, Math.E, 1));
    double factor = Math.log(one.high() / one.low()) / 2 / Math.log1p(one.deviation());
    int held = 0;
    for (int round = 0; round < rounds; round++) {
      double[] logs = Sample.logs(sample(n, z -> Math.exp(sigma * z)));
      if (Math.abs(Sample.mean(logs)) <= factor * Sample.deviation(logs)) {
        held++;
      }
    }
    return (double) held / rounds;
  }

  /** How often a study with the published formula would have held its mean. */
  double publishedCoverage(int n) {
    double factor = PublishedInterval.halfWidth(CONFIDENCE, 1, n);
    int held = 0;
    for (int round = 0; round < rounds; round++) {
      double[] x = sample(n, z -> z);
      if (Math.abs(Sample.mean(x)) <= factor * Sample.deviation(x)) {
        held++;
      }
    }
    return (double) held / rounds;
  }

  /** How often a setting that is the baseline gets the verdict better or worse. */
  double falseVerdicts(int blocks, double cv) {
    int wrong = 0;
    for (int round = 0; round < rounds; round++) {
      Effect effect = BlockedEffect.of(trials(blocks, cv), trials(blocks, cv));
      Verdict verdict = Verdict.of(effect, effect.pValue(), 1, Band.DEFAULT, true);
      if (verdict == Verdict.BETTER || verdict == Verdict.WORSE) {
        wrong++;
      }
    }
    return (double) wrong / rounds;
  }

  /** How often any of several settings that are all the baseline is called different. */
  double familyError(int settings, int blocks, boolean holm) {
    int wrong = 0;
    for (int round = 0; round < rounds; round++) {
      double[] baseline = trials(blocks, 0.03);
      double[] p = new double[settings];
      for (int i = 0; i < settings; i++) {
        p[i] = BlockedEffect.of(trials(blocks, 0.03), baseline).pValue();
      }
      if (Arrays.stream(holm ? Holm.adjust(p) : p).anyMatch(q -> q < 0.05)) {
        wrong++;
      }
    }
    return (double) wrong / rounds;
  }

  /**
   * How often any of several settings that all differ by the whole band is called the same.
   *
   * @param loads each with the same number of settings and a baseline of its own
   */
  double falseSame(int settings, int loads, boolean holm) {
    int wrong = 0;
    for (int round = 0; round < rounds; round++) {
      double[] p = new double[settings * loads];
      for (int load = 0; load < loads; load++) {
        double[] baseline = sample(6, z -> Math.exp(0.003 * z));
        for (int i = 0; i < settings; i++) {
          double[] with = sample(6, z -> 1.02 * Math.exp(0.003 * z));
          p[load * settings + i] =
              Equivalence.pValue(BlockedEffect.of(with, baseline), Band.DEFAULT);
        }
      }
      wrong += Arrays.stream(holm ? Holm.adjust(p) : p).anyMatch(q -> q < 0.05) ? 1 : 0;
    }
    return (double) wrong / rounds;
  }

  /** How often the sequence holds the mean at every look from 2 to the last. */
  double sequenceCoverage(int looks, ConfidenceSequence sequence) {
    int held = 0;
    for (int round = 0; round < rounds; round++) {
      double[] x = sample(looks, z -> 100 + 5 * z);
      boolean all = true;
      for (int n = 2; n <= looks && all; n++) {
        Estimate estimate = sequence.of(Arrays.copyOf(x, n));
        all = !(estimate.low() > 100 || estimate.high() < 100);
      }
      held += all ? 1 : 0;
    }
    return (double) held / rounds;
  }

  /**
   * How often Student's interval holds the mean when the first look that shows a half-width of at
   * most that ends the sweep.
   */
  double coverageWhenStoppedAtFirstPreciseLook(double cv, double halfWidth, int first, int last) {
    double[] factors = new double[last + 1];
    for (int n = first; n <= last; n++) {
      factors[n] = factor(n);
    }
    int held = 0;
    for (int round = 0; round < rounds; round++) {
      double[] x = sample(last, z -> 1 + cv * z);
      int n = first;
      while (n < last && factors[n] * Sample.deviation(Arrays.copyOf(x, n)) > halfWidth) {
        n++;
      }
      double[] seen = Arrays.copyOf(x, n);
      if (Math.abs(Sample.mean(seen) - 1) <= factors[n] * Sample.deviation(seen)) {
        held++;
      }
    }
    return (double) held / rounds;
  }

  /** How often Stein's two stages hold the mean within the half-width asked for. */
  double steinCoverage(int first, double cv, double halfWidth) {
    int held = 0;
    for (int round = 0; round < rounds; round++) {
      double[] stage = sample(first, z -> 1 + cv * z);
      SteinTwoStage stein = SteinTwoStage.after(CONFIDENCE, stage);
      double[] all = Arrays.copyOf(stage, stein.total(halfWidth));
      for (int i = first; i < all.length; i++) {
        all[i] = 1 + cv * random.nextGaussian();
      }
      held += Math.abs(Sample.mean(all) - 1) <= halfWidth ? 1 : 0;
    }
    return (double) held / rounds;
  }

  /** How often the promised effect becomes significant in the promised design. */
  double powerReached(DesignPower design) {
    int found = 0;
    double sigma = Math.sqrt(Math.log1p(design.cv() * design.cv()));
    double shift = Math.log1p(design.smallestEffect());
    for (int round = 0; round < rounds; round++) {
      double[] with = sample(design.blocks(), z -> Math.exp(shift + sigma * z));
      double[] without = sample(design.blocks(), z -> Math.exp(sigma * z));
      if (BlockedEffect.of(with, without).pValue() < 0.05 / design.comparisons()) {
        found++;
      }
    }
    return (double) found / rounds;
  }

  /** How often the cut lies within those bounds when the rate climbs for that many seconds. */
  double transientFound(int seconds, int climb, int least, int most) {
    int found = 0;
    for (int round = 0; round < rounds; round++) {
      double[] rate = new double[seconds];
      for (int i = 0; i < seconds; i++) {
        double level = i < climb ? 50 + 50.0 * i / climb : 100;
        rate[i] = level + 5 * random.nextGaussian();
      }
      Mser5 series = Mser5.of(rate);
      if (series.outcome() == Mser5.Outcome.STEADY
          && series.cut() >= least
          && series.cut() <= most) {
        found++;
      }
    }
    return (double) found / rounds;
  }

  /** How often drift of that size per trial is found in random blocks, each slow or fast itself. */
  double driftFound(int cells, int blocks, double slope) {
    int found = 0;
    for (int round = 0; round < rounds; round++) {
      double[] x = new double[cells * blocks];
      int[] cell = new int[x.length];
      int[] block = new int[x.length];
      double level = 0;
      for (int i = 0; i < x.length; i++) {
        block[i] = i / cells;
        cell[i] = i;
        int other = i - random.nextInt(i % cells + 1);
        cell[i] = cell[other];
        cell[other] = i;
      }
      for (int i = 0; i < x.length; i++) {
        cell[i] %= cells;
        level = i % cells == 0 ? 0.2 * random.nextGaussian() : level;
        x[i] = Math.exp(0.1 * cell[i] + level + slope * i + 0.03 * random.nextGaussian());
      }
      found += OrderDrift.of(x, cell, block).found(0.05) ? 1 : 0;
    }
    return (double) found / rounds;
  }

  /**
   * How often the first of several equal settings, which may be the best, is in the best set.
   *
   * @param scatter of each setting
   */
  double bestKept(int n, boolean blocked, double... scatter) {
    int kept = 0;
    for (int round = 0; round < rounds; round++) {
      List<double[]> settings =
          Arrays.stream(scatter).mapToObj(sigma -> sample(n, z -> sigma * z)).toList();
      HsuBest best =
          blocked
              ? HsuBest.blocked(CONFIDENCE, settings, new double[scatter.length])
              : HsuBest.independent(CONFIDENCE, settings, new double[scatter.length]);
      kept += best.contenders().get(0).inBestSet() ? 1 : 0;
    }
    return (double) kept / rounds;
  }

  /**
   * Sessions of ten blocks in which four profiles and their baseline drift apart.
   *
   * @param share of a window's variance that drifts
   * @param memory correlation time of the drift in blocks
   */
  record Drift(double share, double memory) {}

  /** How often an interval holds an effect in the long run, and that of its sessions. */
  record Held(double inTheLongRun, double inTheseSessions) {}

  /** How often the interval over sessions holds the effect, where profiles drift. */
  Held driftingCoverage(int sessions, Drift drift) {
    int held = 0;
    int ofThese = 0;
    for (int round = 0; round < rounds; round++) {
      List<Drifted> drawn = Stream.generate(() -> drifted(drift)).limit(sessions).toList();
      int size =
          NeighbourBlocks.of(
                  drawn.stream().map(session -> session.ratios().toArray(double[][]::new)).toList())
              .size();
      Effect effect =
          SessionEffect.of(
                  drawn.stream()
                      .map(session -> NeighbourBlocks.joined(session.ofFirst(), size))
                      .toList())
              .effect();
      double these = drawn.stream().mapToDouble(Drifted::effect).average().orElseThrow();
      double half = effect.halfWidth(CONFIDENCE);
      held += Math.abs(effect.logRatio()) <= half ? 1 : 0;
      ofThese += Math.abs(effect.logRatio() - these) <= half ? 1 : 0;
    }
    return new Held((double) held / rounds, (double) ofThese / rounds);
  }

  /**
   * One session without an effect in the long run.
   *
   * @param ratios of four profiles to the baseline on logarithms, by block
   * @param effect of the first profile in this session: how far it has drifted on average
   */
  private record Drifted(List<double[]> ratios, double effect) {
    double[] ofFirst() {
      return ratios.stream().mapToDouble(block -> block[0]).toArray();
    }
  }

  private Drifted drifted(Drift drift) {
    double keep = Math.exp(-1 / drift.memory());
    double slow = Math.sqrt(drift.share());
    double fast = Math.sqrt(1 - drift.share());
    double[] away = sample(5, z -> slow * z);
    double[][] ratios = new double[10][4];
    double effect = 0;
    for (double[] block : ratios) {
      double[] fresh = sample(5, z -> slow * Math.sqrt(1 - keep * keep) * z);
      double[] noise = sample(5, z -> fast * z);
      Arrays.setAll(away, i -> keep * away[i] + fresh[i]);
      Arrays.setAll(block, i -> away[i] + noise[i] - away[4] - noise[4]);
      effect += (away[0] - away[4]) / ratios.length;
    }
    return new Drifted(List.of(ratios), effect);
  }

  /** Half the width of Student's interval in units of the deviation, by the interval itself. */
  private static double factor(int n) {
    Estimate one = StudentInterval.of(CONFIDENCE, oneOf(n, 1, 0));
    return one.halfWidth() / one.deviation();
  }

  private static double[] oneOf(int n, double first, double others) {
    double[] x = new double[n];
    Arrays.fill(x, others);
    x[0] = first;
    return x;
  }

  private double[] trials(int n, double cv) {
    return sample(n, z -> 100 * Math.exp(cv * z));
  }

  private double[] sample(int n, DoubleUnaryOperator shape) {
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = shape.applyAsDouble(random.nextGaussian());
    }
    return x;
  }
}
