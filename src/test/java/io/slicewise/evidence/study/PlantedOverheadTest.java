package io.slicewise.evidence.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.OverheadRuns.CellMeans;
import io.slicewise.evidence.study.PageFaults.FaultShare;
import io.slicewise.evidence.study.StudyData.Pair;
import io.slicewise.stats.BlockedEffect;
import io.slicewise.stats.Effect;
import io.slicewise.stats.WelchEffect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Protects the overhead study's statistics on made runs: boots scatter by 3 %, passes by 1 %, and
 * the truth is known. Passes of one boot taken for repetitions are kept as counter-examples.
 */
class PlantedOverheadTest {
  private static final double BOOTS = 0.03;
  private static final double PASSES = 0.01;
  private static final double TRUTH = Math.log(1.2);
  private static final int ROUNDS = 10_000;

  private final Random random = new Random(2007);

  /** Passes of one boot, around its own level. */
  private double[] boot(double log, int passes) {
    double level = log + BOOTS * random.nextGaussian();
    double[] times = new double[passes];
    Arrays.setAll(times, pass -> Math.exp(level + PASSES * random.nextGaussian()));
    return times;
  }

  private static double geometric(double... times) {
    return Math.exp(Arrays.stream(times).map(Math::log).average().orElseThrow());
  }

  private static boolean covers(Effect effect) {
    return Math.abs(effect.logRatio() - TRUTH) <= effect.halfWidth(0.95);
  }

  @Test
  void intervalsOverBootsCoverTheTruth() {
    int covered = 0;
    for (int round = 0; round < ROUNDS; round++) {
      double[] base = new double[5];
      double[] xen = new double[5];
      for (int block = 0; block < 5; block++) {
        base[block] = geometric(boot(0, 5));
        xen[block] = geometric(boot(TRUTH, 5));
      }
      covered += covers(BlockedEffect.of(xen, base)) ? 1 : 0;
    }
    assertThat(100.0 * covered / ROUNDS).isCloseTo(95, within(1.0));
  }

  @Test
  void passesTakenForRepetitionsCoverFarTooLittle() {
    int five = 0;
    int one = 0;
    for (int round = 0; round < ROUNDS; round++) {
      double[] base = new double[25];
      double[] xen = new double[25];
      for (int block = 0; block < 5; block++) {
        System.arraycopy(boot(0, 5), 0, base, 5 * block, 5);
        System.arraycopy(boot(TRUTH, 5), 0, xen, 5 * block, 5);
      }
      five += covers(WelchEffect.of(xen, base)) ? 1 : 0;
      one += covers(WelchEffect.of(boot(TRUTH, 5), boot(0, 5))) ? 1 : 0;
    }
    assertThat(100.0 * five / ROUNDS).isBetween(55.0, 75.0);
    assertThat(100.0 * one / ROUNDS).isBetween(18.0, 35.0);
  }

  /** The same system twice, 22 queries by Holm: a false alarm in at most one of twenty studies. */
  @Test
  void theSameSystemTwiceSeldomAlarms() {
    int rounds = 600;
    int alarms = 0;
    for (int round = 0; round < rounds; round++) {
      List<Cells> blocks = new ArrayList<>();
      for (int block = 0; block < 5; block++) {
        List<StudyCell> cells = new ArrayList<>();
        for (int query = 1; query <= 22; query++) {
          Map<String, String> of = Map.of("query", "q" + query);
          cells.add(new StudyCell(of, Tiers.BASE, Map.of("runtime", geometric(boot(0, 3)))));
          cells.add(new StudyCell(of, Tiers.XEN, Map.of("runtime", geometric(boot(0, 3)))));
        }
        blocks.add(new Cells(cells));
      }
      Slowdowns arm = Slowdowns.of(new StudyData(CellMeans.of(blocks), blocks, List.of())).get(0);
      alarms += arm.cases().stream().anyMatch(row -> row.p() < 0.05) ? 1 : 0;
    }
    assertThat(100.0 * alarms / rounds).isLessThanOrEqualTo(5 + 1.8);
  }

  /**
   * Added time = 5 % + 3 µs per fault, and noise: b is right on the average, and so is its error.
   */
  @Test
  void theCostOfAFaultIsUnbiased() {
    int rounds = 2_000;
    double sum = 0;
    double squares = 0;
    double errors = 0;
    for (int round = 0; round < rounds; round++) {
      List<Pair> pairs = new ArrayList<>();
      for (int query = 1; query <= 22; query++) {
        double base = 0.5 + 0.6 * query;
        double faults = 20_000.0 * (1 + (query * 7) % 22);
        double system = 1.2e-6 * faults;
        double added = 0.05 * base + 3e-6 * faults + 0.05 * random.nextGaussian();
        Map<String, String> of = Map.of("query", "q" + query);
        pairs.add(
            new Pair(
                new StudyCell(
                    of, Tiers.BASE, Map.of("runtime", base, "sys", system, "page_faults", faults)),
                new StudyCell(
                    of,
                    Tiers.XEN,
                    Map.of(
                        "runtime",
                        base + added,
                        "sys",
                        system + 0.8 * added,
                        "page_faults",
                        faults)),
                new StudyCell(of, "", Map.of())));
      }
      FaultShare share = FaultShare.of(pairs);
      sum += share.b();
      squares += (share.b() - 3e-6) * (share.b() - 3e-6);
      errors += share.bError();
    }
    double scatter = Math.sqrt(squares / rounds);
    assertThat(sum / rounds).isCloseTo(3e-6, within(4 * scatter / Math.sqrt(rounds)));
    assertThat(errors / rounds).isCloseTo(scatter, within(0.05 * scatter));
  }
}
