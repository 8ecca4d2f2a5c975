package io.slicewise.host.monitor;

/**
 * How one domain's vCPU time was spent in a window, as shares (0..1) of its own vCPUs × elapsed
 * time. A share that could not be known is {@code NaN}, never guessed; {@code note} then says why.
 *
 * @param run measured
 * @param waiting runnable but waiting for a pCPU, measured
 * @param blocked the rest: 1 − run − waiting
 * @param note empty, or why a share is not measured or in doubt
 */
public record DomainShares(
    String domain, int id, int vcpus, double run, double waiting, double blocked, String note) {}
