package io.slicewise.sweep.window;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.host.HypervisorException;
import java.util.function.Supplier;

/** The host does not take the settings of a tune's candidate, which the tune goes on without. */
public final class RefusedCandidate extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private RefusedCandidate(HypervisorException fault) {
    super(fault.getMessage(), fault);
  }

  /** Returns what sets a trial's settings returns; a refusal of a tune's candidate is this. */
  static <T> T orElse(Experiment experiment, Trial trial, Supplier<T> setting) {
    try {
      return setting.get();
    } catch (HypervisorException fault) {
      boolean spared = experiment.tuning().isPresent() && experiment.isCandidate(trial);
      throw spared ? new RefusedCandidate(fault) : fault;
    }
  }
}
