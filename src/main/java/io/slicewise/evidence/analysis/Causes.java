package io.slicewise.evidence.analysis;

import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.run.Environment;
import io.slicewise.run.TrialResult;
import java.util.List;
import java.util.Optional;

/**
 * Causes of changes, and the reliability of the monitor that measured them.
 *
 * @param caveat why its wait shares are in doubt; empty if they are not
 * @param witnesses what guests' own kernels say about the waits, in sentences
 */
public record Causes(List<Cause> changes, String caveat, List<String> witnesses) {
  public static final Causes NONE = new Causes(List.of(), "", List.of());

  public Causes {
    changes = List.copyOf(changes);
    witnesses = List.copyOf(witnesses);
  }

  /**
   * Returns the causes with the caveat of the monitor that measured the trials.
   *
   * @param environment of their run, with the hypervisor's version
   */
  public static Causes of(
      List<Cause> changes, List<TrialResult> results, Optional<Environment> environment) {
    return new Causes(
        changes,
        environment
            .flatMap(
                found ->
                    results.stream()
                        .map(trial -> trial.monitor().source())
                        .distinct()
                        .flatMap(monitor -> HypervisorShares.caveat(monitor, found.host()).stream())
                        .findFirst())
            .orElse(""),
        GuestWaits.of(results));
  }
}
