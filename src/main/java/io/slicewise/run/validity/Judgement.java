package io.slicewise.run.validity;

import java.util.List;

/** All rules a trial breaks, in the order of {@link Rule}. */
public record Judgement(List<Finding> findings) {
  public Judgement {
    findings = List.copyOf(findings);
  }

  /** Whether the trial counts. */
  public boolean valid() {
    return findings.stream().noneMatch(Finding::excludes);
  }

  /** Why it does not count, in words; empty when it does. */
  public List<String> reasons() {
    return findings.stream().filter(Finding::excludes).map(Finding::message).toList();
  }

  /** What is in doubt without making the trial invalid, in words. */
  public List<String> warnings() {
    return findings.stream().filter(f -> !f.excludes()).map(Finding::message).toList();
  }
}
