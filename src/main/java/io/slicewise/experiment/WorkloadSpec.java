package io.slicewise.experiment;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.Benchmark;
import io.slicewise.workload.SecretProperties;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.WorkloadType.Need;
import io.slicewise.workload.WorkloadType.Sized;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.tiles.Tile;
import io.slicewise.workload.tiles.Tiles;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * The workload part of an experiment file.
 *
 * @param name {@code web-app}, {@code observe}, … or {@code plan} for a custom plan
 * @param plan the JMeter plan, if it is not the workload's own
 * @param target the address of the first request; its host, port and path become JMeter properties
 * @param properties further JMeter properties, by name
 * @param options the workload's own keys with plain values, including defaults
 */
public record WorkloadSpec(
    String name,
    Optional<Path> plan,
    Optional<URI> target,
    Map<String, String> properties,
    Map<String, Object> options) {
  private static final String RATE = "rate";

  public WorkloadSpec {
    properties = Map.copyOf(properties);
    // Keeps the order, so that the same experiment always gives the same text.
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /** Creates a workload without options. */
  public WorkloadSpec(
      String name, Optional<Path> plan, Optional<URI> target, Map<String, String> properties) {
    this(name, plan, target, properties, Map.of());
  }

  /** Returns whether anything is loaded. */
  public boolean loads() {
    return Workloads.type(name).map(WorkloadType::loads).orElse(true);
  }

  /** Returns whether there are requests to measure: those of the load, or those of others. */
  public boolean hasRequests() {
    return Workloads.type(name).map(WorkloadType::hasRequests).orElse(true);
  }

  /**
   * Returns the numbers of interfering neighbours that are swept; empty unless there are several.
   */
  public List<Integer> neighbours() {
    return Workloads.type(name)
        .map(type -> type.neighbours(new Options(options)))
        .orElse(List.of());
  }

  /**
   * Returns what is found for a machine of some size; empty if nothing depends on it.
   *
   * @param memory of the first guest that is loaded, in bytes; read only if it is needed
   */
  public Optional<Sized> sized(DoubleSupplier memory) {
    return Workloads.type(name).flatMap(type -> type.sized(new Options(options), memory));
  }

  /** Returns whether the load is the site's own traffic, which nobody here can stop. */
  public boolean live() {
    return Workloads.type(name).map(WorkloadType::live).orElse(false);
  }

  /** Returns a copy with these options. */
  public WorkloadSpec with(Map<String, Object> others) {
    return new WorkloadSpec(name, plan, target, properties, others);
  }

  /** Returns the conditions without neighbours that each block has in addition. */
  public Map<String, Double> lone() {
    return Workloads.type(name).map(type -> type.lone(new Options(options))).orElse(Map.of());
  }

  /** Returns the parts of the workload that have trials of their own; empty if none have. */
  public List<String> parts() {
    return Workloads.type(name).map(type -> type.parts(new Options(options))).orElse(List.of());
  }

  /** Returns the words of the command that is its load; empty if a plan is, or nothing. */
  public Optional<List<String>> command() {
    return Benchmark.command(new Options(options));
  }

  /** Returns the names of the numbers that it reports as outcomes of a window. */
  public List<String> outcomes() {
    return Workloads.type(name).map(type -> type.outcomes(new Options(options))).orElse(List.of());
  }

  /**
   * Returns the longest time that a trial may take if it measures a fixed amount of work; empty if
   * it measures a window of time.
   */
  public Optional<Duration> work() {
    return Workloads.type(name).flatMap(type -> type.work(new Options(options)));
  }

  /**
   * Returns whether requests arrive at a given rate even if earlier ones are still waiting: an open
   * load. As in the plans, a {@code rate} of 0 means none.
   */
  public boolean isOpen() {
    return !properties.getOrDefault(RATE, "0").matches("0*\\.?0*");
  }

  /**
   * Returns the options that affect the measurement, as text by name, including defaults; the
   * addresses and logins of servers are omitted.
   */
  public Map<String, String> optionWords() {
    return Workloads.type(name).map(type -> type.conditions(new Options(options))).orElse(Map.of());
  }

  /**
   * Returns a copy for other servers, whose target and options override those written; a target and
   * options that this workload does not have are ignored.
   */
  public WorkloadSpec aimedAt(Optional<URI> otherTarget, Map<String, Object> others) {
    Set<String> known =
        Workloads.type(name).stream()
            .flatMap(type -> type.options().stream())
            .map(Option::name)
            .collect(Collectors.toSet());
    Map<String, Object> allOptions = new LinkedHashMap<>(options);
    others.forEach(
        (option, value) -> {
          if (known.contains(option)) {
            allOptions.put(option, value);
          }
        });
    boolean aims = Workloads.type(name).map(type -> type.target() != Need.NO).orElse(true);
    return new WorkloadSpec(
        name, plan, aims ? otherTarget.or(() -> target) : Optional.empty(), properties, allOptions);
  }

  /** Returns the loads at once with users of their own; empty if all guests share the users. */
  public List<Tile> tiles() {
    return Workloads.type(name).map(type -> type.tiles(new Options(options))).orElse(List.of());
  }

  /** Returns whether it consists of tiles, each with users or a rate of its own. */
  public boolean isTiled() {
    return name.equals(Tiles.TILES);
  }

  /** Returns whether guests can have users of their own. */
  public boolean loadsEach() {
    return Workloads.type(name).map(WorkloadType::loadsEach).orElse(false);
  }

  /** Rejects passwords among the properties before anything of the experiment is written. */
  public void refuseWrittenSecrets() {
    SecretProperties.refuseValues(properties);
  }
}
