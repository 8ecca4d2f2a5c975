package io.slicewise.host.monitor;

import io.slicewise.observe.Reading;
import java.util.List;

/**
 * The use of one domain's vCPU time in a window, as shares (0..1) of its own vCPUs × elapsed time.
 * An unknown share is {@code NaN}; {@code note} then gives the reason.
 *
 * @param run measured
 * @param waiting runnable but waiting for a pCPU, measured
 * @param blocked the rest: 1 − run − waiting
 * @param note empty, or why a share is not measured or in doubt
 * @param others further measurements of the monitor
 */
public record DomainShares(
    String domain,
    int id,
    int vcpus,
    double run,
    double waiting,
    double blocked,
    String note,
    List<Reading> others) {
  /** The CPU time of a guest's emulator, as a share of one pCPU. */
  public static final String EMULATOR_RUN = "emulator_run";

  public DomainShares {
    others = List.copyOf(others);
  }

  public DomainShares(
      String domain, int id, int vcpus, double run, double waiting, double blocked, String note) {
    this(domain, id, vcpus, run, waiting, blocked, note, List.of());
  }

  /**
   * Returns the share in which it was ready and did not run: it waited, or a cap parked it. Guests
   * count both as stolen.
   */
  public double held() {
    return waiting
        + others.stream()
            .filter(reading -> reading.name().equals(HypervisorShares.PARKED))
            .mapToDouble(Reading::value)
            .sum();
  }

  /** Returns how many pCPUs the guest's emulator used; {@code NaN} if it was not measured. */
  public double emulatorRun() {
    return others.stream()
        .filter(one -> one.name().equals(EMULATOR_RUN))
        .mapToDouble(Reading::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Returns a copy with further measurements of its monitor. */
  DomainShares with(List<Reading> measured) {
    return new DomainShares(domain, id, vcpus, run, waiting, blocked, note, measured);
  }
}
