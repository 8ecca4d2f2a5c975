package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Repeats the invalid trials of another source as often as the limits allow. For that source, a
 * trial is open until an attempt is valid or no further one is allowed.
 */
public record Retrying(TrialSource source, Experiment experiment) implements TrialSource {
  @Override
  public Answer next(TrialHistory history) {
    Map<Integer, List<Measured>> attempts = history.attempts();
    Answer answer =
        source.next(
            history.measured(
                one -> !again(attempts.get(one.trial().number()), history.measured())));
    List<PlannedTrial> open = new ArrayList<>();
    for (PlannedTrial one : answer.open()) {
      open.add(one.attempt(attempts.getOrDefault(one.trial().number(), List.of()).size() + 1));
    }
    if (experiment.order() != Experiment.Order.AS_WRITTEN
        && experiment.order() != Experiment.Order.LOADS_AS_WRITTEN) {
      // A further attempt waits until its block has run.
      open.sort(
          Comparator.comparingInt((PlannedTrial one) -> one.trial().block())
              .thenComparingInt(one -> one.trial().attempt()));
    }
    return new Answer(open, answer.reason(), answer.outlook());
  }

  private boolean again(List<Measured> attempts, List<Measured> all) {
    int most = experiment.limits().moreAttempts();
    return attempts.stream().noneMatch(Measured::valid)
        && attempts.size() <= most
        && !hopeless(attempts.get(0).trial(), most, all);
  }

  @Override
  public List<PlannedTrial> possible(TrialHistory planned) {
    return source.possible(planned);
  }

  /** Returns whether no attempt of any trial of the cell was valid. */
  private static boolean hopeless(Trial trial, int most, List<Measured> all) {
    List<Measured> cell =
        all.stream()
            .filter(one -> one.trial().load().equals(trial.load()))
            .filter(one -> one.trial().profile().equals(trial.profile()))
            .toList();
    return cell.size() > most && cell.stream().noneMatch(Measured::valid);
  }
}
