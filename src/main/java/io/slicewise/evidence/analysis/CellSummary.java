package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.experiment.Load;
import io.slicewise.stats.Estimate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All repetitions of one profile × load.
 *
 * @param n valid trials behind the estimates
 * @param metrics estimates over trials; a metric that was not measured is absent
 * @param domains estimates of run, wait and blocked shares by domain: Domain-0, then as the
 *     experiment names them, then all others
 * @param labels the metrics by label, in the order of the first trial; empty when there is only one
 * @param measures the workload's own measures @param dom0 counters of the control domain's kernel;
 *     empty if no valid trial has them
 */
public record CellSummary(
    String profile,
    @JsonUnwrapped Load load,
    int n,
    Map<Metric, Estimate> metrics,
    List<DomainSummary> domains,
    List<LabelSummary> labels,
    List<MeasureSummary> measures,
    Optional<Dom0Summary> dom0) {
  public CellSummary {
    domains = List.copyOf(domains);
    labels = List.copyOf(labels);
    measures = List.copyOf(measures);
  }

  /** Creates a cell with a single label and no measures of the workload. */
  public CellSummary(
      String profile,
      Load load,
      int n,
      Map<Metric, Estimate> metrics,
      List<DomainSummary> domains) {
    this(profile, load, n, metrics, domains, List.of(), List.of(), Optional.empty());
  }

  /** The metrics of one label: a guest, a kind of task, a query. */
  public record LabelSummary(String label, Map<Metric, Estimate> metrics) {}

  /**
   * The control domain by its own kernel's counters, as shares 0..1; n = 0 if nothing could be
   * measured.
   *
   * @param busiestDisk share of the time with a request under way, of each trial's busiest device
   */
  public record Dom0Summary(
      Estimate busy, Estimate stolen, Estimate waitingForDisks, Estimate busiestDisk) {}

  /** A measure that the workload defines. */
  public record MeasureSummary(String name, String unit, boolean moreIsBetter, Estimate estimate) {}

  /** The shares (0..1) of one domain; an estimate with n = 0 where nothing could be measured. */
  public record DomainSummary(
      String domain, int vcpus, Estimate run, Estimate waiting, Estimate blocked) {}
}
