package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.CellTrials;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Each trial relative to its own cell, in run order, which shows drift of the host independently of
 * differences between cells.
 *
 * @param trials by number
 * @param blocks by block
 */
public record BlockDrift(List<Deviation> trials, List<Block> blocks) {
  public BlockDrift {
    trials = List.copyOf(trials);
    blocks = List.copyOf(blocks);
  }

  /**
   * A valid trial.
   *
   * @param percent deviation from the geometric mean of its cell
   */
  public record Deviation(int trial, int block, double percent) {}

  /**
   * A block.
   *
   * @param percent the geometric mean of its trials' ratios to their cells, minus one
   */
  public record Block(int block, double percent, int trials) {}

  /** Returns the drift in a metric, without trials whose value is unknown or not positive. */
  public static BlockDrift of(Experiment experiment, List<TrialResult> results, Metric metric) {
    List<Deviation> deviations = new ArrayList<>();
    for (CellTrials cell : CellTrials.of(experiment, results)) {
      double mean = Arrays.stream(logs(cell, metric)).average().orElse(Double.NaN);
      for (TrialResult trial : cell.valid()) {
        OptionalDouble value = CellTrials.value(trial, metric);
        if (value.isPresent() && value.getAsDouble() > 0) {
          double percent = 100 * Math.expm1(Math.log(value.getAsDouble()) - mean);
          deviations.add(new Deviation(trial.trial().number(), trial.trial().block(), percent));
        }
      }
    }
    deviations.sort(Comparator.comparingInt(Deviation::trial));
    return new BlockDrift(deviations, blocks(deviations));
  }

  private static double[] logs(CellTrials cell, Metric metric) {
    return Arrays.stream(cell.observed(metric)).filter(x -> x > 0).map(Math::log).toArray();
  }

  private static List<Block> blocks(List<Deviation> deviations) {
    Map<Integer, List<Deviation>> byBlock =
        deviations.stream()
            .collect(Collectors.groupingBy(Deviation::block, TreeMap::new, Collectors.toList()));
    return byBlock.entrySet().stream()
        .map(entry -> new Block(entry.getKey(), typical(entry.getValue()), entry.getValue().size()))
        .toList();
  }

  private static double typical(List<Deviation> deviations) {
    return 100
        * Math.expm1(
            deviations.stream()
                .mapToDouble(deviation -> Math.log1p(deviation.percent() / 100))
                .average()
                .orElse(Double.NaN));
  }
}
