package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiment.Order;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.OrderDrift;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether the host drifted while the trials ran, in numbers and in words. */
final class RunOrder {
  private static final double LEVEL = 0.05;

  private RunOrder() {}

  /**
   * The drift of the metric against the order in which the valid trials began, over all cells.
   * Blocks are accounted for where cells are compared within them; repetitions of a single cell are
   * no blocks of anything.
   */
  static OrderDrift drift(Experiment experiment, List<TrialResult> results, Metric metric) {
    List<TrialResult> known =
        results.stream()
            .filter(TrialResult::valid)
            .filter(trial -> CellTrials.value(trial, metric).orElse(-1) > 0)
            .sorted(
                Comparator.comparing((TrialResult trial) -> trial.window().start())
                    .thenComparing(trial -> trial.trial().number()))
            .toList();
    double[] values = new double[known.size()];
    int[] cells = new int[known.size()];
    int[] blocks = new int[known.size()];
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      TrialResult trial = known.get(i);
      String cell = trial.trial().load() + " " + trial.trial().profile();
      if (!seen.contains(cell)) {
        seen.add(cell);
      }
      values[i] = CellTrials.value(trial, metric).orElseThrow();
      cells[i] = seen.indexOf(cell);
      blocks[i] = trial.trial().block() - 1;
    }
    return inBlocks(experiment)
        ? OrderDrift.of(values, cells, blocks)
        : OrderDrift.of(values, cells);
  }

  private static boolean inBlocks(Experiment experiment) {
    return experiment.order() == Order.BLOCKS && experiment.cells() > 1;
  }

  /** The two tests told together, each at half the level; empty when there is nothing to test. */
  static Optional<String> words(Experiment experiment, OrderDrift drift, Metric metric) {
    double p = Math.min(1, 2 * least(drift.slopeP(), drift.lagOneP()));
    if (Double.isNaN(p)) {
      return Optional.empty();
    }
    if (p >= LEVEL) {
      return Optional.of(
          String.format(Locale.ROOT, "order drift of %s: none shown (p %.2f)", metric.key(), p));
    }
    boolean slope = drift.slopeP() <= least(drift.slopeP(), drift.lagOneP());
    return Optional.of(
        String.format(
            Locale.ROOT,
            "order drift of %s (p %.3f): %s; %s",
            metric.key(),
            p,
            slope
                ? String.format(Locale.ROOT, "%+.2f %% a trial", 100 * Math.expm1(drift.slope()))
                : String.format(
                    Locale.ROOT, "neighbours resemble each other (lag 1: %.2f)", drift.lagOne()),
            inBlocks(experiment)
                ? "what whole blocks share is not in it; the random order makes the rest scatter"
                : "nothing keeps it out of the intervals"));
  }

  private static double least(double a, double b) {
    return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
  }
}
