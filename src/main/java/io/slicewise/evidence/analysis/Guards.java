package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What must not get worse, whatever the metric that decides gains: changes of metrics, and the
 * share of failed requests.
 */
public record Guards(List<Guard> changes, Optional<ErrorGuard> errors) {
  public static final Guards NONE = new Guards(List.of(), Optional.empty());

  public Guards {
    changes = List.copyOf(changes);
  }

  /** Those of an experiment. */
  public static Guards of(Experiment experiment) {
    return new Guards(Guard.of(experiment), ErrorGuard.of(experiment));
  }

  /** Both; of two bounds on errors the other's. */
  public Guards and(Guards other) {
    List<Guard> all = new ArrayList<>(changes);
    all.addAll(other.changes);
    return new Guards(all, other.errors.or(() -> errors));
  }

  /** Whether nothing is guarded. */
  public boolean isEmpty() {
    return changes.isEmpty() && errors.isEmpty();
  }
}
