package io.slicewise.host.monitor;

import io.slicewise.host.Accounts;
import io.slicewise.observe.Observation.Reading;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The use of one domain's vCPU time in a window, as shares (0..1) of its own vCPUs × elapsed time.
 * An unknown share is {@code NaN}; {@code note} then gives the reason.
 *
 * @param run measured
 * @param waiting runnable but waiting for a pCPU, measured
 * @param blocked the rest: 1 − run − waiting
 * @param note empty, or why a share is not measured or in doubt
 * @param others further measurements of the monitor
 * @param takers the shares of its pCPUs' time in which other domains ran, by their names; only of
 *     those that ran there, and empty if it is not known
 */
public record DomainShares(
    String domain,
    int id,
    int vcpus,
    double run,
    double waiting,
    double blocked,
    String note,
    List<Reading> others,
    List<Reading> takers) {
  public DomainShares {
    others = List.copyOf(others);
    takers = List.copyOf(takers);
  }

  public DomainShares(
      String domain, int id, int vcpus, double run, double waiting, double blocked, String note) {
    this(domain, id, vcpus, run, waiting, blocked, note, List.of(), List.of());
  }

  /**
   * Returns the share in which it was ready and did not run: it waited, or a cap parked it. Guests
   * count both as stolen.
   */
  public double held() {
    return waiting + measured(HypervisorShares.PARKED).orElse(0);
  }

  /** Returns how many pCPUs the guest's emulator used; {@code NaN} if it was not measured. */
  public double emulatorRun() {
    return measured(Accounts.EMULATOR_RUN).orElse(Double.NaN);
  }

  /**
   * Returns how many of its vCPUs or tasks were ready and did not run on average: a guest whose
   * tasks are counted may have more of them than vCPUs.
   */
  public double waiters() {
    return measured(Accounts.TASKS_WAITING).orElse(waiting * vcpus);
  }

  /** Returns the part of its vCPUs' time in which a quota held it back; empty if not measured. */
  public OptionalDouble throttled() {
    return measured(Accounts.THROTTLED);
  }

  /** Returns the share of its pCPUs' time in which tasks of no guest ran; empty if not measured. */
  public OptionalDouble outsideRun() {
    return measured(Accounts.OUTSIDE_RUN);
  }

  private OptionalDouble measured(String name) {
    return others.stream()
        .filter(reading -> reading.name().equals(name))
        .mapToDouble(Reading::value)
        .findFirst();
  }

  /** Returns a copy with further measurements of its monitor. */
  public DomainShares with(List<Reading> measured) {
    return with(measured, List.of());
  }

  /** Returns a copy with further measurements, and who else ran on its pCPUs. */
  public DomainShares with(List<Reading> measured, List<Reading> ran) {
    return new DomainShares(domain, id, vcpus, run, waiting, blocked, note, measured, ran);
  }
}
