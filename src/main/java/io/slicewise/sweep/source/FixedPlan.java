package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.run.journal.PlannedTrial;
import java.util.List;

/** The plan of the experiment file: every repetition of every cell, and added blocks. */
record FixedPlan(Experiment experiment) implements TrialSource {
  @Override
  public Answer next(TrialHistory history) {
    return Answer.of(history.open(trials(blocks(history))));
  }

  int blocks(TrialHistory history) {
    return Math.max(experiment.repetitions(), history.blocks());
  }

  List<PlannedTrial> block(int block) {
    return trials(block).stream().filter(one -> one.trial().block() == block).toList();
  }

  private List<PlannedTrial> trials(int blocks) {
    return PlannedTrial.of(experiment, Plan.of(experiment, blocks));
  }
}
