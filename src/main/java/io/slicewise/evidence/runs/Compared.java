package io.slicewise.evidence.runs;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.Guard.Outcome;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.stats.Verdict;
import java.util.List;

/**
 * The answer to a comparison question, between profiles of a run or between runs.
 *
 * @param control of the run
 * @param earlierControl of the reference run; without entries within one run
 * @param causes of the changes of the mean response time
 * @param warnings limitations of the comparison, as sentences
 * @param times to estimate the cost of more repetitions
 */
public record Compared(
    @JsonUnwrapped Names names,
    Question question,
    List<Guard> guards,
    @JsonUnwrapped Rows rows,
    ControlCheck control,
    ControlCheck earlierControl,
    Causes causes,
    List<String> warnings,
    @JsonUnwrapped UnitTime times) {
  public Compared {
    guards = List.copyOf(guards);
    warnings = List.copyOf(warnings);
  }

  /**
   * The names of what is compared.
   *
   * @param from the reference of the changes: a profile, a run or a named baseline
   * @param to the run with the changes
   */
  public record Names(String experiment, String from, String to) {
    /** {@code web-app: baseline -> heavy}. */
    public String text(String arrow) {
      return "%s: %s %s %s".formatted(experiment, from, arrow, to);
    }
  }

  /**
   * The cells that are compared.
   *
   * @param comparisons by load, profile and metric, without those outside the question
   * @param errors by load and profile, failed requests compared with the limit; empty unless
   *     requested
   * @param missing requested cells that could not be compared, such as {@code heavy at 50 users}
   */
  public record Rows(
      List<Comparison> comparisons, List<ErrorGuard.Judged> errors, List<String> missing) {
    public Rows {
      comparisons = List.copyOf(comparisons);
      errors = List.copyOf(errors);
      missing = List.copyOf(missing);
    }
  }

  /** What all rows and guards together say: the first that applies. */
  public enum Overall {
    NO_DATA,
    CONTROL_FAILED,
    WORSE,
    UNDECIDED,
    FINE
  }

  /** Returns the rows of Holm's family. */
  public List<Comparison> primary() {
    return rows.comparisons().stream().filter(c -> c.kind() == Kind.PRIMARY).toList();
  }

  /** Returns whether any row or guard has this outcome. */
  public Overall overall() {
    if (primary().isEmpty()) {
      return Overall.NO_DATA;
    }
    if (!control.falseAlarms().isEmpty() || !earlierControl.falseAlarms().isEmpty()) {
      return Overall.CONTROL_FAILED;
    }
    if (any(Verdict.WORSE) || anyGuard(Outcome.BROKEN)) {
      return Overall.WORSE;
    }
    boolean open =
        any(Verdict.UNCLEAR)
            || anyGuard(Outcome.UNCLEAR)
            || !rows.missing().isEmpty()
            || !unjudged().isEmpty();
    return open ? Overall.UNDECIDED : Overall.FINE;
  }

  /** Returns the guards whose metric is unknown in a compared cell. */
  public List<Guard> unjudged() {
    return guards.stream()
        .filter(guard -> primary().stream().anyMatch(row -> !isJudged(guard, row)))
        .toList();
  }

  private boolean isJudged(Guard guard, Comparison row) {
    return rows.comparisons().stream()
        .filter(guard::concerns)
        .anyMatch(one -> one.load().equals(row.load()) && one.profile().equals(row.profile()));
  }

  private boolean any(Verdict verdict) {
    return primary().stream().anyMatch(comparison -> comparison.verdict() == verdict);
  }

  /** Returns whether any guard has this outcome, at any load of any compared profile. */
  public boolean anyGuard(Outcome outcome) {
    return rows.errors().stream().anyMatch(judged -> judged.outcome() == outcome)
        || guards.stream()
            .anyMatch(
                guard ->
                    rows.comparisons().stream()
                        .filter(guard::concerns)
                        .anyMatch(comparison -> guard.judge(comparison) == outcome));
  }
}
