package io.slicewise.workload;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Secret;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What loads the guests. Set-up and tear-down run before and after every trial, are timed, and may
 * be repeated safely; they throw {@link io.slicewise.base.units.SlicewiseException} with their
 * reason, which fails the trial.
 */
public interface Workload {
  /** The JMeter plan; empty when nothing is loaded ({@code observe}). */
  Optional<Path> plan();

  /** JMeter properties for the plan, resolved from the experiment. They end up in files. */
  Map<String, String> properties();

  /** The same for a trial of so many users, where each may have properties of its own. */
  default Map<String, String> properties(int users) {
    return properties();
  }

  /**
   * JMeter properties that must not be seen: they reach the generator through a pipe and stand in
   * no file, argument list or log.
   */
  default Map<String, Secret> secrets() {
    return Map.of();
  }

  /**
   * The same workload beside so many interfering neighbours; asked only where an experiment sweeps
   * them.
   */
  default Workload beside(int neighbours) {
    throw new UnsupportedOperationException("this workload knows no neighbours");
  }

  /** Prepares what the plan needs. */
  void setUp();

  /** Whether the target answers, in words; empty when all is well. Changes nothing. */
  Optional<String> complaint();

  /** Removes what {@link #setUp} made, and only that. */
  void tearDown();

  /** What counts as a sample where the plan sums requests up to transactions. */
  default Counted counted() {
    return Counted.REQUESTS;
  }

  /** Whether transactions are labels of their own where requests are counted. */
  default boolean listsTransactions() {
    return false;
  }

  /** The labels that make the total; empty for all. */
  default Set<String> totalLabels() {
    return Set.of();
  }

  /**
   * Whether a user's pauses between requests are think time, whatever takes that long: then they
   * are measured from the samples for Little's law, which else holds the plan's own think time.
   */
  default boolean pausesAreThinking() {
    return false;
  }

  /**
   * What a trial's samples say beside throughput and response times, which every workload has in
   * sum and by label.
   *
   * @param samples the files that were reduced, for what the reduction does not keep
   */
  default List<Measure> measures(Reduction reduction, List<GeneratorSamples> samples) {
    return List.of();
  }
}
