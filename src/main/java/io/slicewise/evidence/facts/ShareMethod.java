package io.slicewise.evidence.facts;

import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.observe.Observation;

/** A method of computing a domain's shares; option {@code --shares} selects it. */
public sealed interface ShareMethod {
  DomainShares of(DomainShares measured);

  /** Returns the observation with its shares by this method; other topics are unchanged. */
  default Observation applyTo(Observation seen) {
    return seen.topic().name().equals(HypervisorShares.TOPIC.name())
        ? seen.with(
            seen.sightings().stream()
                .map(HypervisorShares::shares)
                .map(this::of)
                .map(HypervisorShares::sighting)
                .toList())
        : seen;
  }

  /** Relative to the domain's vCPUs × elapsed time: the default. */
  record OwnVcpus() implements ShareMethod {
    @Override
    public DomainShares of(DomainShares measured) {
      return measured;
    }
  }

  /**
   * As in the 2010 study, only to reproduce its tables: running and blocked time divided by pCPUs ×
   * elapsed time whatever the domain's vCPUs, and waiting as the rest of that.
   *
   * <p>Worked example: a domain with 2 vCPUs on 4 pCPUs, run 0.20, waiting 0.10, blocked 0.70 of
   * its own time: run 0.20·2/4 = 0.10, blocked 0.35, waiting 1 − 0.10 − 0.35 = 0.55, of which 0.50
   * are the two pCPUs that the domain cannot use.
   *
   * @param pcpus of the host; 4 in the study
   */
  record Published(int pcpus) implements ShareMethod {
    public Published {
      if (pcpus < 1) {
        throw new IllegalArgumentException("a host has at least one pCPU, not " + pcpus);
      }
    }

    @Override
    public DomainShares of(DomainShares measured) {
      double scale = (double) measured.vcpus() / pcpus;
      double run = measured.run() * scale;
      double blocked = measured.blocked() * scale;
      return new DomainShares(
          measured.domain(),
          measured.id(),
          measured.vcpus(),
          run,
          1 - run - blocked,
          blocked,
          measured.note());
    }
  }
}
