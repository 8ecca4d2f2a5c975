package io.slicewise.run.validity;

import java.util.List;
import java.util.Objects;

/** All rules that a trial breaks, in the order of {@link Rule}. */
public record Judgement(List<Finding> findings) {
  public Judgement {
    findings = List.copyOf(findings);
  }

  /** Whether the trial counts. */
  public boolean valid() {
    return findings.stream().noneMatch(Finding::excludes);
  }

  /** Why the trial does not count, in sentences; empty if it does. */
  public List<String> reasons() {
    return findings.stream().filter(Finding::excludes).map(Finding::message).toList();
  }

  /** Doubts that do not make the trial invalid, in sentences. */
  public List<String> warnings() {
    return findings.stream().filter(f -> !f.excludes()).map(Finding::message).toList();
  }

  /**
   * A rule that a trial breaks.
   *
   * @param excludes whether the trial must not count; otherwise it is a warning
   * @param message the measured and the allowed value, e.g. {@code errors 3.1 % > 0.5 %}
   * @param likelyCause the usual cause, to help find the problem
   */
  public record Finding(Rule rule, boolean excludes, String message, String likelyCause) {
    public Finding {
      Objects.requireNonNull(rule);
      Objects.requireNonNull(message);
      Objects.requireNonNull(likelyCause);
    }

    /** Returns the same finding about a part of the load. */
    Finding of(String part) {
      return new Finding(rule, excludes, part + ": " + message, likelyCause);
    }

    public static Finding excluding(Rule rule, String message, String likelyCause) {
      return new Finding(rule, true, message, likelyCause);
    }

    static Finding warning(Rule rule, String message, String likelyCause) {
      return new Finding(rule, false, message, likelyCause);
    }
  }
}
