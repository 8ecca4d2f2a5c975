package io.slicewise.run;

import io.slicewise.base.units.Measure;
import java.util.List;
import java.util.Optional;

/**
 * The load of a trial and what it measured.
 *
 * @param result of the samples of all generators together; empty when nothing was loaded
 * @param generators one today; empty when nothing was loaded or nothing is known of them
 * @param measures of the workload, in addition to throughput and response times
 */
public record TrialLoad(
    Optional<LoadResult> result, List<GeneratorResult> generators, List<Measure> measures) {
  /** Nothing was loaded. */
  public static final TrialLoad NONE = new TrialLoad(Optional.empty(), List.of(), List.of());

  public TrialLoad {
    generators = List.copyOf(generators);
    measures = List.copyOf(measures);
  }

  /** A load of generators that nothing is known of. */
  public static TrialLoad of(LoadResult result) {
    return new TrialLoad(Optional.of(result), List.of(), List.of());
  }
}
