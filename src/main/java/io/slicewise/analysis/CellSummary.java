package io.slicewise.analysis;

import io.slicewise.stats.Estimate;
import java.util.List;
import java.util.Map;

/**
 * All repetitions of one profile × user load.
 *
 * @param n valid trials behind the estimates
 * @param metrics estimates over trials; a metric that was not measured is absent
 * @param domains estimates of run, wait and blocked shares by domain: Domain-0, then as the
 *     experiment names them, then all others
 */
public record CellSummary(
    String profile, int users, int n, Map<Metric, Estimate> metrics, List<DomainSummary> domains) {
  public CellSummary {
    domains = List.copyOf(domains);
  }

  /** The shares (0..1) of one domain; an estimate with n = 0 where nothing could be measured. */
  public record DomainSummary(
      String domain, int vcpus, Estimate run, Estimate waiting, Estimate blocked) {}
}
