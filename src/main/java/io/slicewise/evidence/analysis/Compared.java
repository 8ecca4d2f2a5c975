package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.Guard.Outcome;
import io.slicewise.stats.Verdict;
import java.time.Duration;
import java.util.List;

/**
 * An asked comparison with all that its verdict needs: profile against profile within a run, or run
 * against run.
 *
 * @param experiment its name
 * @param from what the changes are from: a profile, a run or a named baseline
 * @param to what they are to: the run
 * @param comparisons by load, profile and metric; those outside the question are left out
 * @param errors by load and profile, how failed requests stand to what is allowed; empty unless
 *     asked
 * @param missing cells that were asked for and could not be compared, as {@code heavy at 50 users}
 * @param control of the run
 * @param earlierControl of the run that the changes are from; without entries within one run
 * @param warnings what makes the comparison less than it looks, in sentences
 * @param trial how long a trial of it takes, for what more repetitions would cost
 */
public record Compared(
    String experiment,
    String from,
    String to,
    Question question,
    List<Guard> guards,
    List<Comparison> comparisons,
    List<ErrorGuard.Judged> errors,
    List<String> missing,
    ControlCheck control,
    ControlCheck earlierControl,
    List<String> warnings,
    Duration trial) {
  public Compared {
    guards = List.copyOf(guards);
    comparisons = List.copyOf(comparisons);
    errors = List.copyOf(errors);
    missing = List.copyOf(missing);
    warnings = List.copyOf(warnings);
  }

  /** What all rows together say; the first that applies, from above. */
  public enum Answer {
    NO_DATA,
    CONTROL_FAILED,
    WORSE,
    UNDECIDED,
    FINE
  }

  /** The rows of Holm's family. */
  public List<Comparison> primary() {
    return comparisons.stream().filter(c -> c.kind() == Kind.PRIMARY).toList();
  }

  /** Whether any row, or guard, came out so. */
  public Answer answer() {
    if (primary().isEmpty()) {
      return Answer.NO_DATA;
    }
    if (!control.falseAlarms().isEmpty() || !earlierControl.falseAlarms().isEmpty()) {
      return Answer.CONTROL_FAILED;
    }
    if (any(Verdict.WORSE) || anyGuard(Outcome.BROKEN)) {
      return Answer.WORSE;
    }
    boolean open =
        any(Verdict.UNCLEAR)
            || anyGuard(Outcome.UNCLEAR)
            || !missing.isEmpty()
            || !unjudged().isEmpty();
    return open ? Answer.UNDECIDED : Answer.FINE;
  }

  /** Guards whose metric is not known in a cell that is compared: nobody knows what they hide. */
  public List<Guard> unjudged() {
    return guards.stream()
        .filter(guard -> primary().stream().anyMatch(row -> !isJudged(guard, row)))
        .toList();
  }

  private boolean isJudged(Guard guard, Comparison row) {
    return comparisons.stream()
        .filter(guard::concerns)
        .anyMatch(one -> one.load().equals(row.load()) && one.profile().equals(row.profile()));
  }

  private boolean any(Verdict verdict) {
    return primary().stream().anyMatch(comparison -> comparison.verdict() == verdict);
  }

  /** Whether any guard came out so, at any load of any profile compared. */
  public boolean anyGuard(Outcome outcome) {
    return errors.stream().anyMatch(judged -> judged.outcome() == outcome)
        || guards.stream()
            .anyMatch(
                guard ->
                    comparisons.stream()
                        .filter(guard::concerns)
                        .anyMatch(comparison -> guard.judge(comparison) == outcome));
  }
}
