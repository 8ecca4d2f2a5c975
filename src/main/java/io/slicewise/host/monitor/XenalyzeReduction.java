package io.slicewise.host.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.Domain;
import io.slicewise.host.monitor.XenalyzeSummary.State;
import io.slicewise.host.monitor.XenalyzeSummary.Vcpu;
import io.slicewise.observe.Observation.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reduces xenalyze's runstates to shares of each domain's own vCPU time over the whole trace.
 *
 * <p>xenalyze counts a state when it ends, so the state a vCPU is in when the trace ends is not
 * counted, nor is the time before its first record. Running and waiting rarely last longer than a
 * slice, so little of them is missing; a long missing period is blocked time. Shares are therefore
 * relative to the whole trace, which counts missing time as blocked, and a note reports it if it
 * exceeds 2 %.
 */
final class XenalyzeReduction {
  private static final double WORTH_TELLING = 0.02;
  private static final double TOO_MUCH_LOST = 0.1;

  private final XenalyzeSummary summary;
  private final double totalCycles;

  /**
   * @param hertz the exact clock rate xenalyze was given; NaN to use the printed one
   */
  XenalyzeReduction(XenalyzeSummary summary, double hertz) {
    this.summary = summary;
    this.totalCycles = totalCycles(summary, Double.isFinite(hertz) ? hertz : summary.hertz());
  }

  /**
   * The longest time that any vCPU was seen is the exact length of the trace, if it agrees with the
   * printed length, which is rounded to 10 ms.
   */
  private static double totalCycles(XenalyzeSummary summary, double hertz) {
    double printed = summary.seconds() * hertz;
    double longest =
        summary.domains().values().stream()
            .flatMap(vcpus -> vcpus.values().stream())
            .mapToDouble(Vcpu::seenCycles)
            .max()
            .orElse(0);
    double tolerance = 0.02 * hertz + 0.005 * printed;
    return Math.abs(longest - printed) <= tolerance ? longest : printed;
  }

  /** Returns the length of the trace in seconds at that clock rate. */
  double seconds(double hertz) {
    return totalCycles / (Double.isFinite(hertz) ? hertz : summary.hertz());
  }

  boolean usable() {
    return totalCycles > 0;
  }

  DomainShares shares(Domain domain) {
    if (!usable()) {
      return Accounting.unknown(domain, "xenalyze printed no summary");
    }
    if (domain.vcpus() < 1) {
      return Accounting.unknown(domain, "has no vCPU online");
    }
    Map<Integer, Vcpu> vcpus = summary.domains().getOrDefault(domain.id(), Map.of());
    if (vcpus.isEmpty()) {
      return Accounting.shares(
          domain,
          0,
          Double.NaN,
          List.of("never ran: the trace does not show whether it slept or waited all the time"));
    }
    double lost = sum(vcpus, State.LOST);
    double whole = totalCycles * domain.vcpus() - lost;
    if (lost > TOO_MUCH_LOST * totalCycles * domain.vcpus()) {
      return Accounting.unknown(domain, "the trace lost too many records of this domain");
    }
    DomainShares shares =
        Accounting.shares(
            domain,
            sum(vcpus, State.RUNNING) / whole,
            sum(vcpus, State.RUNNABLE) / whole,
            notes(domain, vcpus, lost));
    double parked = sum(vcpus, State.OFFLINE) / whole;
    return parked > 0
        ? shares.with(List.of(Reading.share(HypervisorShares.PARKED, parked)))
        : shares;
  }

  private List<String> notes(Domain domain, Map<Integer, Vcpu> vcpus, double lost) {
    List<String> notes = new ArrayList<>();
    double whole = totalCycles * domain.vcpus();
    double missing = whole - vcpus.values().stream().mapToDouble(Vcpu::total).sum();
    if (missing > WORTH_TELLING * whole) {
      notes.add(
          percent(missing / whole)
              + " of its time is in states that extend beyond the trace and counts as blocked");
    }
    if (lost > WORTH_TELLING * whole) {
      notes.add(percent(lost / whole) + " of its time is missing in the trace and omitted");
    }
    return notes;
  }

  private static String percent(double share) {
    return Phrase.of("%.1f %%", share * 100);
  }

  private static double sum(Map<Integer, Vcpu> vcpus, State state) {
    return vcpus.values().stream().mapToDouble(vcpu -> vcpu.of(state)).sum();
  }
}
