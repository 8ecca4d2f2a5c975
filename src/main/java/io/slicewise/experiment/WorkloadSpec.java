package io.slicewise.experiment;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.SecretProperties;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.Workloads;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The workload part of an experiment file.
 *
 * @param name {@code web-app}, {@code observe}, … or {@code plan} for a plan of one's own
 * @param plan the JMeter plan, when it is not the workload's own
 * @param target where the first request goes; its host, port and path become JMeter properties
 * @param properties further JMeter properties, by name
 * @param options the workload's own keys with their plain values, defaults filled in
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
    // Keeps the order, so that the same experiment is always the same text.
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /** A workload that has no options of its own, or none that are given. */
  public WorkloadSpec(
      String name, Optional<Path> plan, Optional<URI> target, Map<String, String> properties) {
    this(name, plan, target, properties, Map.of());
  }

  /** Whether anything is loaded. */
  public boolean loads() {
    return Workloads.type(name).map(WorkloadType::loads).orElse(true);
  }

  /** The numbers of interfering neighbours that are swept; empty unless there are several. */
  public List<Integer> neighbours() {
    return Workloads.type(name)
        .map(type -> type.neighbours(new Options(options)))
        .orElse(List.of());
  }

  /**
   * Whether requests arrive at a rate, whether or not others still wait: an open load. A {@code
   * rate} of 0 is none, as the plans have it.
   */
  public boolean isOpen() {
    return !properties.getOrDefault(RATE, "0").matches("0*\\.?0*");
  }

  /**
   * What its options say of what is measured, in words by name, defaults filled in; where servers
   * are and who signs in there is not among them.
   */
  public Map<String, String> optionWords() {
    return Workloads.type(name).map(type -> type.conditions(new Options(options))).orElse(Map.of());
  }

  /**
   * The same aimed at other servers, whose options win over those written; options that this
   * workload does not have are left out.
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
    return new WorkloadSpec(name, plan, otherTarget.or(() -> target), properties, allOptions);
  }

  /** Returns the number of users at work in all thread groups of the plan under that load. */
  public int population(int users) {
    return Workloads.type(name)
        .map(type -> type.population(users, new Options(options)))
        .orElse(users);
  }

  /** Refuses passwords among the properties, before anything of the experiment is written. */
  public void refuseWrittenSecrets() {
    SecretProperties.refuseValues(properties);
  }
}
