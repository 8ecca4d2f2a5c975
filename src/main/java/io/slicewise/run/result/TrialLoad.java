package io.slicewise.run.result;

import io.slicewise.base.units.Measure;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.jtl.SampleSummary;
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

  /**
   * The contribution of one load generator to a trial.
   *
   * @param name unique in the trial
   * @param samples name of its file in the trial's directory; empty if it was not kept there
   * @param clockOffsetMillis the offset of its clock from that of the machine that runs the
   *     experiment; 0 on that machine
   * @param clockBoundMillis of the error of that offset, in either direction
   * @param clockDriftMillis the offset at the window's end less that at its start
   * @param users that it ran; 0 if they were not split
   * @param requests samples in the window, of those that count
   * @param p50Millis their median response time; {@code NaN} if unknown
   */
  public record GeneratorResult(
      String name,
      String samples,
      GeneratorHealth health,
      double clockOffsetMillis,
      double clockBoundMillis,
      double clockDriftMillis,
      int users,
      long requests,
      double p50Millis) {
    /** The contribution of a generator whose users were not split and whose clock is exact. */
    public GeneratorResult(
        String name, String samples, GeneratorHealth health, double clockOffsetMillis) {
      this(name, samples, health, clockOffsetMillis, 0, 0, 0, 0, Double.NaN);
    }

    /**
     * Returns the contribution of a generator.
     *
     * @param total of its samples in the window
     */
    public static GeneratorResult of(GeneratorOutput output, SampleSummary total) {
      return new GeneratorResult(
          output.generator(),
          output.there().isPresent() ? "" : output.samples().getFileName().toString(),
          output.health(),
          output.clock().ahead().toNanos() / 1e6,
          output.clock().bound().toNanos() / 1e6,
          output.clock().drift().toNanos() / 1e6,
          output.users(),
          total.samples(),
          total.percentileMillis(50));
    }
  }
}
