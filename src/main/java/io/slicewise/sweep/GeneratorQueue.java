package io.slicewise.sweep;

import io.slicewise.base.units.Secret;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.run.RunDirectory;
import io.slicewise.sweep.window.ExperimentWorkload;
import io.slicewise.sweep.window.Sitting;
import io.slicewise.workload.Workload;
import io.slicewise.workload.tiles.Tile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Prepares the next trial's generator while the last trial is still being torn down, so that the
 * start of a JVM costs no wall time. Has at most one.
 */
final class GeneratorQueue implements AutoCloseable {
  /** How much longer than its trial a load may last before it ends itself. */
  private static final Duration SLACK = Duration.ofMinutes(2);

  /** The number of blocks of a session is open; its generator ends with its harness. */
  private static final Duration LONGEST_SESSION = Duration.ofDays(7);

  private final Sitting sitting;
  private final Workload workload;
  private Optional<Ready> next = Optional.empty();

  GeneratorQueue(Sitting sitting, Workload workload) {
    this.sitting = sitting;
    this.workload = workload;
  }

  /** Creates the trial's directory and starts its generator, unless already done. */
  void prepare(Trial trial) {
    if (next.filter(ready -> ready.trial().equals(trial)).isPresent()) {
      return;
    }
    close();
    next = Optional.of(ready(trial));
  }

  /**
   * Returns the prepared generator if it is for this trial, otherwise a new one. The caller closes
   * it.
   */
  Ready take(Trial trial) {
    Optional<Ready> prepared = next.filter(ready -> ready.trial().equals(trial));
    if (prepared.isPresent()) {
      next = Optional.empty();
      return prepared.get();
    }
    return ready(trial);
  }

  private Ready ready(Trial trial) {
    Path directory = sitting.run().freshTrialDirectory(trial);
    Duration longest =
        sitting.experiment().warmUp().plus(sitting.experiment().measure()).plus(SLACK);
    return new Ready(trial, directory, prepare(trial, directory, longest));
  }

  /**
   * Prepares a generator for the session of a window, unless nothing is loaded. The caller closes
   * it.
   */
  Optional<PreparedLoad> forSession(Trial window, Path directory) {
    close();
    return prepare(window, directory, LONGEST_SESSION);
  }

  private Optional<PreparedLoad> prepare(Trial trial, Path directory, Duration longest) {
    if (!workload.tiles().isEmpty()) {
      return Optional.of(tiles(trial, directory, longest));
    }
    return workload
        .plan()
        .map(plan -> sitting.generator().prepare(request(trial, plan, directory, longest)));
  }

  /** A generator for each tile, with its own plan, users or arrivals. */
  private PreparedLoad tiles(Trial trial, Path directory, Duration longest) {
    Experiment experiment = sitting.experiment();
    Map<String, Workload> workloads = new HashMap<>();
    workload.tiles().forEach(one -> workloads.put(one.tile().name(), one.workload()));
    Map<String, LoadRequest> requests = new LinkedHashMap<>();
    for (Tile tile : experiment.tiles(trial.load())) {
      Workload its = workloads.get(tile.name());
      int users = experiment.users(tile);
      Map<String, String> properties = new HashMap<>(its.properties(users));
      Map<String, Secret> secrets = ExperimentWorkload.secrets(its, properties);
      tile.rate()
          .ifPresent(
              rate -> {
                properties.put(LoadRequest.RATE, Double.toString(rate));
                properties.put(
                    LoadRequest.SEED,
                    Long.toString(31 * seed(experiment, trial) + tile.name().hashCode()));
              });
      requests.put(
          tile.name(),
          new LoadRequest(
              its.plan().orElseThrow(),
              users,
              users,
              experiment.ramp(),
              longest,
              properties,
              secrets,
              RunDirectory.within(directory, tile.name())));
    }
    return sitting.generator().prepare(requests, directory);
  }

  private LoadRequest request(Trial trial, Path plan, Path directory, Duration longest) {
    Experiment experiment = sitting.experiment();
    int users = experiment.users(trial.load());
    Map<String, String> properties = new HashMap<>(trial.load().under(workload).properties(users));
    Map<String, Secret> secrets = ExperimentWorkload.secrets(workload, properties);
    properties.putAll(trial.load().properties());
    if (trial.load().isOpen()) {
      properties.put(LoadRequest.SEED, Long.toString(seed(experiment, trial)));
    }
    return new LoadRequest(
        plan,
        users,
        experiment.population(trial.load()),
        experiment.ramp(),
        longest,
        properties,
        secrets,
        directory);
  }

  /** All profiles of a block have the same arrivals, which then do not differ by chance. */
  private static long seed(Experiment experiment, Trial trial) {
    return Objects.hash(experiment.seed(), trial.load(), trial.block());
  }

  @Override
  public void close() {
    Optional<Ready> left = next;
    next = Optional.empty();
    left.ifPresent(Ready::close);
  }

  /** A trial's directory and its generator, which is absent if nothing is loaded. */
  record Ready(Trial trial, Path directory, Optional<PreparedLoad> load) implements AutoCloseable {
    @Override
    public void close() {
      load.ifPresent(PreparedLoad::close);
    }
  }
}
