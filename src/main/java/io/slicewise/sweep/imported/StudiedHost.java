package io.slicewise.sweep.imported;

import io.slicewise.host.CpuPool;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorVersion;
import java.util.List;

/**
 * What is known of the host that a study was made on.
 *
 * @param version decides where xenmon's logs keep the wait
 * @param pcpus 0 when unknown
 * @param domains with the ids their logs know them by, and their vCPUs
 */
public record StudiedHost(HypervisorVersion version, int pcpus, List<Domain> domains) {
  private static final String POOL = "Pool-0";

  public StudiedHost {
    domains = List.copyOf(domains);
  }

  HostDescription description(String scheduler) {
    return new HostDescription(
        "unknown",
        version,
        "",
        pcpus,
        Double.NaN,
        scheduler,
        List.of(new CpuPool(POOL, pcpus, scheduler, domains.size())));
  }
}
