package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.table.OrderDrift;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Tests whether the host drifted during the trials. */
public final class RunOrder {
  private static final double LEVEL = 0.05;

  private RunOrder() {}

  /**
   * Returns the drift of the metric against run order over all valid trials. Block effects are
   * removed if cells are compared within blocks.
   */
  public static OrderDrift drift(Experiment experiment, List<TrialResult> results, Metric metric) {
    List<TrialResult> known = known(results, metric);
    double[] values = new double[known.size()];
    int[] cells = new int[known.size()];
    int[] blocks = new int[known.size()];
    List<String> seen = new ArrayList<>();
    List<String> seenBlocks = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      TrialResult trial = known.get(i);
      String cell = trial.trial().load() + " " + trial.trial().profile();
      if (!seen.contains(cell)) {
        seen.add(cell);
      }
      values[i] = CellTrials.value(trial, metric).orElseThrow();
      cells[i] = seen.indexOf(cell);
      String block = block(trial.trial());
      if (!seenBlocks.contains(block)) {
        seenBlocks.add(block);
      }
      blocks[i] = seenBlocks.indexOf(block);
    }
    return inBlocks(experiment)
        ? OrderDrift.of(values, cells, blocks)
        : OrderDrift.of(values, cells);
  }

  private static List<TrialResult> known(List<TrialResult> results, Metric metric) {
    return results.stream()
        .filter(TrialResult::valid)
        .filter(trial -> CellTrials.value(trial, metric).orElse(-1) > 0)
        .sorted(
            Comparator.comparing((TrialResult trial) -> trial.window().start())
                .thenComparing(trial -> trial.trial().number()))
        .toList();
  }

  /** Returns how many trials the repetitions of two profiles at a load are apart, on average. */
  public static double apart(
      List<TrialResult> results, Metric metric, Load load, String one, String other) {
    List<Trial> known = known(results, metric).stream().map(TrialResult::trial).toList();
    return Math.abs(place(known, load, one) - place(known, load, other));
  }

  private static double place(List<Trial> known, Load load, String profile) {
    return IntStream.range(0, known.size())
        .filter(i -> known.get(i).profile().equals(profile) && known.get(i).load().equals(load))
        .average()
        .orElse(Double.NaN);
  }

  /**
   * Returns a trial's block: blocks of trials contain all loads, those of a session only its own.
   */
  private static String block(Trial trial) {
    return trial
        .place()
        .map(
            place ->
                "%s session %d block %d".formatted(trial.load(), place.session(), place.block()))
        .orElse("block " + trial.block());
  }

  private static boolean inBlocks(Experiment experiment) {
    return experiment.order().equals(Order.BLOCKS) && experiment.cells() > 1;
  }

  /** Returns both tests as a sentence with one p-value; empty if there is nothing to test. */
  static Optional<String> sentence(Experiment experiment, OrderDrift drift, Metric metric) {
    double p = drift.p();
    if (Double.isNaN(p)) {
      return Optional.empty();
    }
    if (p >= LEVEL) {
      return Optional.of(Phrase.of("order drift of %s: none shown (p %.2f)", metric.key(), p));
    }
    String one = experiment.unit();
    boolean slope = !(drift.lagOneP() < drift.slopeP());
    return Optional.of(
        Phrase.of(
            "order drift of %s (p %.3f): %s; %s",
            metric.key(),
            p,
            slope
                ? Phrase.of("%+.2f %% per %s", 100 * Math.expm1(drift.slope()), one)
                : Phrase.of("successive %ss are correlated (lag 1: %.2f)", one, drift.lagOne()),
            inBlocks(experiment)
                ? "block effects are removed; the random order turns the remainder into noise"
                : "it affects the intervals"));
  }
}
