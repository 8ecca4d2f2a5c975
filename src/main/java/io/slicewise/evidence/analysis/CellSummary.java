package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.observe.Observation.Location;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.stats.Estimate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All repetitions of one profile × load.
 *
 * @param n valid trials behind the estimates
 * @param metrics estimates over trials; a metric that was not measured is absent
 * @param observed what observers measured, by topic
 * @param labels the metrics by label, in the order of the first trial; empty when there is only one
 * @param measures of the workload, in addition to the metrics
 */
public record CellSummary(
    String profile,
    @JsonUnwrapped Load load,
    int n,
    Map<Metric, Estimate> metrics,
    List<ObservedTopic> observed,
    List<LabelSummary> labels,
    List<MeasureSummary> measures) {
  public CellSummary {
    observed = List.copyOf(observed);
    labels = List.copyOf(labels);
    measures = List.copyOf(measures);
  }

  /** Returns a copy with other observations. */
  public CellSummary observing(List<ObservedTopic> others) {
    return new CellSummary(profile, load, n, metrics, others, labels, measures);
  }

  /** Returns the hypervisor's shares by domain; empty when they were not observed. */
  public List<DomainSummary> domains() {
    return observed.stream()
        .filter(seen -> seen.topic().name().equals(HypervisorShares.TOPIC.name()))
        .flatMap(seen -> seen.places().stream())
        .map(
            seen ->
                new DomainSummary(
                    seen.place().name(),
                    seen.place().cpus(),
                    seen.estimate(HypervisorShares.RUN),
                    seen.estimate(HypervisorShares.WAIT),
                    seen.estimate(HypervisorShares.BLOCKED)))
        .toList();
  }

  /** Returns a further share of a domain, such as throttled time, if its monitor measures it. */
  public Optional<Estimate> share(String domain, String name) {
    return observed.stream()
        .filter(seen -> seen.topic().name().equals(HypervisorShares.TOPIC.name()))
        .flatMap(seen -> seen.places().stream())
        .filter(seen -> seen.place().name().equals(domain))
        .flatMap(seen -> seen.readings().stream())
        .filter(reading -> reading.name().equals(name))
        .map(ObservedReading::estimate)
        .findFirst();
  }

  /** The metrics of one label: a guest, a kind of task, a query. */
  public record LabelSummary(String label, Map<Metric, Estimate> metrics) {}

  /** A measure of the workload. */
  public record MeasureSummary(String name, String unit, boolean moreIsBetter, Estimate estimate) {}

  /**
   * The measurements of the observers of one topic.
   *
   * @param places domains as the experiment names them, Domain-0 first; then all others
   */
  public record ObservedTopic(Topic topic, List<ObservedPlace> places) {
    public ObservedTopic {
      places = List.copyOf(places);
    }
  }

  /**
   * The measurements of one place.
   *
   * @param n valid trials in which the place was observed, whether or not every value is known
   */
  public record ObservedPlace(Location place, @JsonIgnore int n, List<ObservedReading> readings) {
    public ObservedPlace {
      readings = List.copyOf(readings);
    }

    private Estimate estimate(String name) {
      return readings.stream()
          .filter(reading -> reading.name().equals(name))
          .findFirst()
          .orElseThrow()
          .estimate();
    }
  }

  /** A reading over trials; an estimate with n = 0 where nothing could be measured. */
  public record ObservedReading(String name, String unit, Estimate estimate) {}

  /** The shares (0..1) of one domain; an estimate with n = 0 where nothing could be measured. */
  public record DomainSummary(
      String domain, int vcpus, Estimate run, Estimate waiting, Estimate blocked) {}
}
