package io.slicewise.evidence.runs;

import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.experiment.Experiment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The limits on what a better primary metric may cost: changes of other metrics, and the share of
 * failed requests.
 */
public record Guards(List<Guard> changes, Optional<ErrorGuard> errors) {
  public static final Guards NONE = new Guards(List.of(), Optional.empty());

  public Guards {
    changes = List.copyOf(changes);
  }

  public static Guards of(Experiment experiment) {
    return new Guards(Guard.of(experiment), ErrorGuard.of(experiment));
  }

  /** Returns the union; if both limit errors, the limit of {@code other}. */
  public Guards and(Guards other) {
    List<Guard> all = new ArrayList<>(changes);
    all.addAll(other.changes);
    return new Guards(all, other.errors.or(() -> errors));
  }

  /** Returns whether there are no guards. */
  public boolean isEmpty() {
    return changes.isEmpty() && errors.isEmpty();
  }
}
