package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.TrialResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Every profile against the baseline, by load and metric. Within blocks where the order was made of
 * blocks (only blocks in which both have a valid trial), across trials otherwise. Holm's family is
 * every profile × every load in the primary metric: all that a reader may take for the winner.
 */
public final class Comparisons {
  private final Experiment experiment;
  private final Question question;
  private final List<CellTrials> cells;

  private Comparisons(Experiment experiment, List<TrialResult> results, Question question) {
    this.experiment = experiment;
    this.question = question;
    this.cells = CellTrials.of(experiment, results);
  }

  /**
   * By load, then profile in the experiment's order, then metric; what cannot be compared is left
   * out.
   */
  public static List<Comparison> of(
      Experiment experiment, List<TrialResult> results, Question question) {
    return new Comparisons(experiment, results, question).all();
  }

  /** How many comparisons Holm's family has; what a design's power depends on. */
  public static int familySize(Experiment experiment) {
    long profiles =
        experiment.profiles().stream()
            .filter(profile -> !profile.name().equals(experiment.baseline()))
            .filter(profile -> !isControl(experiment, profile.name()))
            .count();
    return Math.toIntExact(profiles * experiment.loads().size());
  }

  /** Whether a profile is the baseline once more under another name, for A/A. */
  public static boolean isControl(Experiment experiment, String name) {
    SchedulerProfile baseline = profile(experiment, experiment.baseline());
    SchedulerProfile other = profile(experiment, name);
    return !name.equals(experiment.baseline())
        && other.scheduler().equals(baseline.scheduler())
        && other.byRole().equals(baseline.byRole())
        && other.byDomain().equals(baseline.byDomain());
  }

  private static SchedulerProfile profile(Experiment experiment, String name) {
    return experiment.profiles().stream()
        .filter(profile -> profile.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no profile is called " + name));
  }

  private List<Comparison> all() {
    List<Pairing> pairs = new ArrayList<>();
    for (CellTrials cell : cells) {
      if (!cell.profile().equals(experiment.baseline())) {
        for (Metric metric : Metric.values()) {
          Pairing pair = pair(cell, metric);
          if (pair.comparable()) {
            pairs.add(pair);
          }
        }
      }
    }
    return Pairing.judged(pairs, familySize(experiment), question);
  }

  private Pairing pair(CellTrials cell, Metric metric) {
    CellTrials baseline =
        cells.stream()
            .filter(other -> other.load().equals(cell.load()))
            .filter(other -> other.profile().equals(experiment.baseline()))
            .findFirst()
            .orElseThrow();
    Kind kind =
        isControl(experiment, cell.profile())
            ? Kind.CONTROL
            : metric == question.primary() ? Kind.PRIMARY : Kind.EXPLORATORY;
    boolean blocked = experiment.order() == Experiment.Order.BLOCKS;
    return Pairing.of(cell, baseline, metric, kind, blocked);
  }
}
