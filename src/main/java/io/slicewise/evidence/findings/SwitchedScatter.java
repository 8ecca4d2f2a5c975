package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.CellTrials;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.SwitchedEffects;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.SessionEffect;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The variation of changes in the sessions of a run, pooled over its profiles and loads, on
 * logarithms.
 *
 * @param within deviation of a block's log ratio within its session
 * @param between deviation of the effect between sessions; 0 with fewer than three
 * @param residuals log ratios in their order, each less the mean of its profile
 */
public record SwitchedScatter(
    Metric metric, double within, double between, List<Double> residuals) {
  public SwitchedScatter {
    residuals = List.copyOf(residuals);
  }

  /** Returns the variation in a run with sessions; empty for trials or without repeated blocks. */
  public static Optional<SwitchedScatter> of(Experiment experiment, List<TrialResult> results) {
    if (experiment.design().isEmpty()) {
      return Optional.empty();
    }
    Metric metric = Question.of(experiment, results).primary();
    SwitchedEffects method =
        new SwitchedEffects(experiment.baseline(), CellTrials.of(experiment, results));
    List<List<double[]>> ratios =
        method.cells().stream()
            .filter(cell -> !cell.profile().equals(experiment.baseline()))
            .map(cell -> method.ratios(cell, metric))
            .filter(sessions -> !sessions.isEmpty())
            .toList();
    List<SessionEffect> effects =
        ratios.stream()
            .map(SessionEffect::of)
            .filter(effect -> Double.isFinite(effect.within()))
            .toList();
    double freedom = effects.stream().mapToInt(SwitchedScatter::freedom).sum();
    if (freedom == 0) {
      return Optional.empty();
    }
    double squares = effects.stream().mapToDouble(e -> freedom(e) * e.within() * e.within()).sum();
    double between =
        effects.stream()
            .filter(effect -> effect.blocks().size() >= SessionEffect.REPLICATES)
            .mapToDouble(effect -> effect.between() * effect.between())
            .average()
            .orElse(0);
    return Optional.of(
        new SwitchedScatter(
            metric,
            Math.sqrt(squares / freedom),
            Math.sqrt(between),
            ratios.stream().flatMap(SwitchedScatter::residuals).toList()));
  }

  private static Stream<Double> residuals(List<double[]> sessions) {
    double mean = sessions.stream().flatMapToDouble(Arrays::stream).average().orElse(0);
    return sessions.stream().flatMapToDouble(Arrays::stream).map(ratio -> ratio - mean).boxed();
  }

  /** Returns the number of log ratios. */
  public int ratios() {
    return residuals.size();
  }

  private static int freedom(SessionEffect effect) {
    return effect.blocks().stream().mapToInt(blocks -> blocks - 1).sum();
  }
}
