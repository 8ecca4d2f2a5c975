package io.slicewise.sweep.source;

import io.slicewise.run.Measured;
import io.slicewise.run.PlannedTrial;
import io.slicewise.run.RunRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a run planned and measured so far.
 *
 * @param planned every trial that the journal holds as planned, in that order
 * @param measured every attempt that finished, in the order of its end (after a resume: of its
 *     number)
 * @param failed numbers of trials without a result that are not to be run again before the run is
 *     resumed
 * @param blocks that results added to the experiment's repetitions, counted from the first of all;
 *     0 if none
 * @param elapsed since the run began
 */
public record TrialHistory(
    List<PlannedTrial> planned,
    List<Measured> measured,
    Set<Integer> failed,
    int blocks,
    Duration elapsed) {
  public TrialHistory {
    planned = List.copyOf(planned);
    measured = List.copyOf(measured);
    failed = Set.copyOf(failed);
  }

  /** Returns the history of a run by its journal. */
  public static TrialHistory of(
      RunRecord record, List<Measured> measured, Set<Integer> failed, Duration elapsed) {
    return new TrialHistory(
        List.copyOf(record.planned().values()), measured, failed, record.blocks(), elapsed);
  }

  /** Returns the planned trials that have not ended. */
  public List<PlannedTrial> open() {
    return open(planned);
  }

  /** Returns those of the trials that have neither a result nor failed. */
  public List<PlannedTrial> open(List<PlannedTrial> trials) {
    Set<Integer> finished =
        measured.stream().map(one -> one.trial().number()).collect(Collectors.toSet());
    return trials.stream()
        .filter(one -> !finished.contains(one.trial().number()))
        .filter(one -> !failed.contains(one.trial().number()))
        .toList();
  }

  /** Returns the finished attempts by the number of their trial. */
  Map<Integer, List<Measured>> attempts() {
    return measured.stream().collect(Collectors.groupingBy(one -> one.trial().number()));
  }

  /** Returns the same history with some of its results only. */
  TrialHistory measured(Predicate<Measured> which) {
    return new TrialHistory(
        planned, measured.stream().filter(which).toList(), failed, blocks, elapsed);
  }
}
