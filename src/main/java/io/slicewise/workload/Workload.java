package io.slicewise.workload;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Secret;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import io.slicewise.workload.counters.Counters;
import io.slicewise.workload.tiles.Tile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A load for the guests. Set-up and tear-down run before and after every trial, are timed, and can
 * be repeated safely; they throw {@link io.slicewise.base.units.SlicewiseException} with their
 * reason, which fails the trial.
 */
public interface Workload {
  /**
   * The measures of a database's own count of the blocks that it read into its cache, by execution:
   * tables and indexes.
   */
  List<String> BLOCKS_READ = List.of("heap-read", "index-read");

  /** The size of such a block. */
  double BLOCK_BYTES = 8192;

  /** The JMeter plan; empty if nothing is loaded ({@code observe}). */
  default Optional<Path> plan() {
    return Optional.empty();
  }

  /** JMeter properties for the plan, resolved from the experiment. They are written to files. */
  default Map<String, String> properties() {
    return Map.of();
  }

  /** The same for a trial with {@code users}, each of which may have its own properties. */
  default Map<String, String> properties(int users) {
    return properties();
  }

  /**
   * Secret JMeter properties: they reach the generator through a pipe and appear in no file,
   * argument list or log.
   */
  default Map<String, Secret> secrets() {
    return Map.of();
  }

  /**
   * Returns the loads that run at once, each with a plan, properties and results of its own; empty
   * if this is one load.
   */
  default List<Tile.Loaded> tiles() {
    return List.of();
  }

  /**
   * Returns the same workload with a number of interfering neighbours; only called if an experiment
   * sweeps them.
   */
  default Workload beside(int neighbours) {
    throw new UnsupportedOperationException("this workload has no neighbours");
  }

  /**
   * Returns the same workload on the first of its guests; only called if an experiment sweeps how
   * many are loaded.
   */
  default Workload on(int guests) {
    throw new UnsupportedOperationException("this workload has no guests of its own");
  }

  /** Returns the same workload with one of its parts alone; only called if parts have trials. */
  default Workload only(String part) {
    throw new UnsupportedOperationException("this workload has no parts");
  }

  /** Prepares everything that the plan needs; nothing by default. */
  default void setUp() {
    // Without a plan, nothing has to be prepared.
  }

  /**
   * Returns what is wrong with the target, or empty: by default, why its counters cannot be read.
   * Changes nothing.
   */
  default Optional<String> complaint() {
    return counters()
        .flatMap(
            all -> {
              try (all) {
                return all.complaint();
              }
            });
  }

  /**
   * Returns facts about the target that must be the same for two measurements to be comparable, by
   * name; empty if it cannot be asked.
   */
  default Map<String, String> facts() {
    return Map.of();
  }

  /** Returns what the target cannot count, in sentences for {@code doctor}. */
  default List<String> remarks() {
    return List.of();
  }

  /** Returns the command that is the load; empty if a plan is, or nothing. */
  default Optional<Benchmark> benchmark() {
    return Optional.empty();
  }

  /** Returns where the requests of the site's own users are read; empty if there are none. */
  default Optional<Traffic> traffic() {
    return Optional.empty();
  }

  /** Returns the counters by which the site's own users are judged; empty if none are read. */
  default Optional<Counters> counters() {
    return Optional.empty();
  }

  /** Removes what {@link #setUp} made, and only that. */
  default void tearDown() {
    // Nothing was made.
  }

  /** What counts as a sample if the plan sums up requests as transactions. */
  default Counted counted() {
    return Counted.REQUESTS;
  }

  /** Whether transactions have their own labels if requests are counted. */
  default boolean listsTransactions() {
    return false;
  }

  /** The labels that make the total; empty for all. */
  default Set<String> totalLabels() {
    return Set.of();
  }

  /**
   * Whether all pauses of a user between requests are think time: then they are measured from the
   * samples for Little's law, which otherwise uses the plan's think time.
   */
  default boolean pausesAreThinking() {
    return false;
  }

  /**
   * The measures of a trial other than throughput and response times, which every workload has in
   * total and by label.
   *
   * @param samples the reduced files, for values that the reduction does not keep
   */
  default List<Measure> measures(Reduction reduction, List<GeneratorSamples> samples) {
    return List.of();
  }
}
