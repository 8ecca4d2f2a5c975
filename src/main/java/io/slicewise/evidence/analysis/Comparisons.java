package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Compares every profile with the baseline, by load and metric, as the design allows: within blocks
 * in which both have a valid trial, with sessions as replicates, or across trials. Holm's family is
 * every profile at every load in the primary metric.
 */
public final class Comparisons {
  private final Experiment experiment;
  private final Question question;
  private final EffectMethod method;

  private Comparisons(Experiment experiment, List<TrialResult> results, Question question) {
    this.experiment = experiment;
    this.question = question;
    this.method = EffectMethod.of(experiment, results);
  }

  /**
   * Returns comparisons by load, profile and metric in the experiment's order, without those that
   * are impossible.
   */
  public static List<Comparison> of(
      Experiment experiment, List<TrialResult> results, Question question) {
    return new Comparisons(experiment, results, question).all();
  }

  /** Returns the size of Holm's family, which determines a design's power. */
  public static int familySize(Experiment experiment) {
    long profiles =
        experiment.profiles().stream()
            .filter(profile -> !profile.name().equals(experiment.baseline()))
            .filter(profile -> !isControl(experiment, profile.name()))
            .count();
    return Math.toIntExact(profiles * experiment.loads().size());
  }

  /** Returns whether a profile is an A/A control, the baseline under another name. */
  public static boolean isControl(Experiment experiment, String name) {
    return !name.equals(experiment.baseline())
        && profile(experiment, name).setsTheSameAs(profile(experiment, experiment.baseline()));
  }

  private static SchedulerProfile profile(Experiment experiment, String name) {
    return experiment.profiles().stream()
        .filter(profile -> profile.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no profile " + name));
  }

  private List<Comparison> all() {
    List<Pairing> pairs = new ArrayList<>();
    for (CellTrials cell : method.cells()) {
      if (!cell.profile().equals(experiment.baseline())) {
        for (Metric metric : metrics()) {
          pair(cell, metric).ifPresent(pairs::add);
        }
      }
    }
    return Pairing.judged(pairs, familySize(experiment), question);
  }

  /** Returns the metrics of the experiment and of the question. */
  private Set<Metric> metrics() {
    Set<Metric> all = new LinkedHashSet<>(Metric.of(experiment));
    all.add(question.primary());
    return all;
  }

  private Optional<Pairing> pair(CellTrials cell, Metric metric) {
    Kind kind =
        isControl(experiment, cell.profile())
            ? Kind.CONTROL
            : metric.equals(question.primary()) ? Kind.PRIMARY : Kind.EXPLORATORY;
    CellTrials baseline = method.cell(experiment.baseline(), cell.load());
    return Pairing.of(method, cell, baseline, metric, kind);
  }
}
