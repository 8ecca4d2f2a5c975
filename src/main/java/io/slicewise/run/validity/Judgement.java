package io.slicewise.run.validity;

import java.util.List;

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
}
