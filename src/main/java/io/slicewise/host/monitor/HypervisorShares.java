package io.slicewise.host.monitor;

import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.monitor.XenmonLogs.XenmonLayout;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Location;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Series;
import io.slicewise.observe.Observation.Sighting;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.observe.Observer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The observer of the hypervisor's CPU shares, with the monitor of the host.
 *
 * @param domains as listed when the watch starts
 */
public record HypervisorShares(Monitor monitor, List<Domain> domains) implements Observer {
  public static final String RUN = "run";
  public static final String WAIT = "wait";
  public static final String BLOCKED = "blocked";

  /** The part of blocked time in which a cap kept vCPUs from running, where it is distinguished. */
  public static final String PARKED = "parked";

  /** Dispatches of its vCPUs per second, where the monitor counts them. */
  public static final String SWITCHES = "dispatches";

  /** The mean wait before a dispatch. */
  public static final String WAIT_PER_DISPATCH = "wait_per_dispatch";

  /** Requests to its network and disk backends per second. */
  public static final String IO_REQUESTS = "io";

  /** Run, wait and blocked shares of each domain's own vCPU time. */
  public static final Topic TOPIC =
      new Topic("shares", "Shares of each domain's vCPU time", "domain");

  private static final int NO_ID = -1;

  @Override
  public String source() {
    return monitor.name();
  }

  @Override
  public Duration leadTime() {
    return monitor.leadTime();
  }

  @Override
  public Watch begin(Duration length, Path logs) {
    return monitor.start(length, domains, logs);
  }

  /** Returns why a monitor's wait shares are unreliable, if they are. */
  public static Optional<String> caveat(String monitor, HostDescription host) {
    return switch (monitor) {
      case "xentop" -> Optional.of("xentop does not measure how long a domain waits for a pCPU");
      case "xenmon" ->
          XenmonLayout.of(host.version()) == XenmonLayout.WAIT_PER_DISPATCH
              ? Optional.of("xenmon of Xen 4.8 and later overstates waits")
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Converts a monitor's result to an observation. */
  public static Observation observation(MonitorResult seen) {
    return new Observation(
        TOPIC,
        seen.source(),
        seen.covered(),
        seen.shares().stream().map(HypervisorShares::sighting).toList(),
        series(seen.series()),
        seen.warnings());
  }

  /** Converts shares to a sighting of their domain. */
  public static Sighting sighting(DomainShares shares) {
    List<Reading> readings = new ArrayList<>();
    readings.add(Reading.share(RUN, shares.run()));
    readings.add(Reading.share(WAIT, shares.waiting()));
    readings.add(Reading.share(BLOCKED, shares.blocked()));
    readings.addAll(shares.others());
    return new Sighting(
        new Location(Location.Kind.DOMAIN, shares.domain(), shares.vcpus()),
        readings,
        shares.takers(),
        shares.note());
  }

  private static List<Series> series(List<MonitorResult.Second> seconds) {
    Map<String, SortedMap<Integer, Double>> run = new LinkedHashMap<>();
    Map<String, SortedMap<Integer, Double>> wait = new LinkedHashMap<>();
    for (MonitorResult.Second second : seconds) {
      run.computeIfAbsent(second.domain(), any -> new TreeMap<>())
          .put(second.second(), second.run());
      wait.computeIfAbsent(second.domain(), any -> new TreeMap<>())
          .put(second.second(), second.waiting());
    }
    List<Series> series = new ArrayList<>();
    run.forEach(
        (domain, values) -> {
          series.add(new Series(domain, RUN, values));
          series.add(new Series(domain, WAIT, wait.get(domain)));
        });
    return series;
  }

  /** Returns the observation of a host without a monitor. */
  public static Observation none(Instant start) {
    return observation(MonitorResult.none(start, List.of()));
  }

  /** Returns the shares of each domain in an observation of this topic. */
  public static List<DomainShares> shares(Observation seen) {
    return seen.sightings().stream().map(HypervisorShares::shares).toList();
  }

  /** Converts a sighting of this topic to the shares of its domain. */
  public static DomainShares shares(Sighting seen) {
    return new DomainShares(
        seen.place().name(),
        NO_ID,
        seen.place().cpus(),
        seen.value(RUN),
        seen.value(WAIT),
        seen.value(BLOCKED),
        seen.note(),
        seen.readings().stream()
            .filter(reading -> !List.of(RUN, WAIT, BLOCKED).contains(reading.name()))
            .toList(),
        seen.details());
  }
}
