package io.slicewise.run;

import io.slicewise.base.units.Measure;
import java.util.List;
import java.util.Optional;

/**
 * The load of a trial and its measurements.
 *
 * @param result of the samples of all generators together; empty if nothing was loaded @param
 *     generators currently one; empty if nothing was loaded or they are unknown
 * @param measures of the workload, in addition to throughput and response times
 */
public record TrialLoad(
    Optional<LoadResult> result, List<GeneratorResult> generators, List<Measure> measures) {
  /** No load. */
  public static final TrialLoad NONE = new TrialLoad(Optional.empty(), List.of(), List.of());

  public TrialLoad {
    generators = List.copyOf(generators);
    measures = List.copyOf(measures);
  }

  /** Returns a load of unknown generators. */
  public static TrialLoad of(LoadResult result) {
    return new TrialLoad(Optional.of(result), List.of(), List.of());
  }
}
