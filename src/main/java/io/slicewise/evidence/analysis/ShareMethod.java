package io.slicewise.evidence.analysis;

import io.slicewise.host.monitor.DomainShares;

/** The definition of a domain's shares, chosen by {@code --shares}. */
public sealed interface ShareMethod {
  /** Returns the shares by this definition. */
  DomainShares tell(DomainShares measured);

  /** Relative to the domain's vCPUs × elapsed time: the default. */
  record OwnVcpus() implements ShareMethod {
    @Override
    public DomainShares tell(DomainShares measured) {
      return measured;
    }
  }

  /**
   * As in the 2010 study, only to reproduce its tables: running and blocked time divided by pCPUs ×
   * elapsed time whatever the domain's vCPUs, and waiting as the rest of that.
   *
   * <p>Worked example: a domain with 2 vCPUs on 4 pCPUs, run 0.20, waiting 0.10, blocked 0.70 of
   * its own time: run 0.20·2/4 = 0.10, blocked 0.35, waiting 1 − 0.10 − 0.35 = 0.55, of which 0.50
   * is nothing but the two pCPUs the domain cannot use.
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
    public DomainShares tell(DomainShares measured) {
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
