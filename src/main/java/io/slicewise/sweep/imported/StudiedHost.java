package io.slicewise.sweep.imported;

import io.slicewise.host.CpuPool;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorVersion;
import java.util.List;

/**
 * The known facts about the host of a study.
 *
 * @param version determines the columns of xenmon's wait
 * @param pcpus 0 if unknown
 * @param domains with their ids in the logs, and their vCPUs
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
