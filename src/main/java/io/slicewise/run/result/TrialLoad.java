package io.slicewise.run.result;

import io.slicewise.base.units.Measure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The load of a trial and its measurements.
 *
 * @param result of the samples of all generators together; empty if nothing was loaded
 * @param generators of the load; empty if nothing was loaded or they are unknown
 * @param measures of the workload, in addition to throughput and response times
 * @param faults why what it measured does not count, in clauses
 */
public record TrialLoad(
    Optional<LoadResult> result,
    List<GeneratorResult> generators,
    List<Measure> measures,
    List<String> faults) {
  /** No load. */
  public static final TrialLoad NONE = new TrialLoad(Optional.empty(), List.of(), List.of());

  public TrialLoad {
    generators = List.copyOf(generators);
    measures = List.copyOf(measures);
    faults = faults == null ? List.of() : List.copyOf(faults);
  }

  /** A load that can be measured. */
  public TrialLoad(
      Optional<LoadResult> result, List<GeneratorResult> generators, List<Measure> measures) {
    this(result, generators, measures, List.of());
  }

  /** Returns a copy with another reason why it does not count. */
  public TrialLoad withFault(String fault) {
    return new TrialLoad(
        result, generators, measures, Stream.concat(faults.stream(), Stream.of(fault)).toList());
  }

  /** Returns the load of one label, without measures; empty if the load has no such label. */
  TrialLoad ofLabel(String label) {
    Optional<LoadResult> its =
        result.stream()
            .flatMap(load -> load.labels().stream())
            .filter(one -> one.label().equals(label))
            .findFirst();
    return new TrialLoad(its, generators, List.of(), faults);
  }

  /** Returns a load of unknown generators. */
  public static TrialLoad of(LoadResult result) {
    return new TrialLoad(Optional.of(result), List.of(), List.of());
  }
}
