package io.slicewise.evidence.look;

import io.slicewise.host.Accounts;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.observe.Observation.Reading;
import java.util.OptionalDouble;

/**
 * The part of a guest's mean response time that CPU scheduling can take away at most. A guest ran
 * for the share r of its vCPUs' time and waited for a pCPU for w, so that a service took 1/f times
 * its CPU time, with f = r / (r + w), and ρ = r + w of its time was taken. If nobody waited any
 * longer:
 *
 * <ul>
 *   <li>A closed load without think time: all services take f times as long, so the mean response
 *       time falls at most to f.
 *   <li>Any other load: the waiting time of Kingman's approximation, ρ / (1 − ρ) × the service
 *       time, falls to f² (1 − ρ) / (1 − r), and that is the least to which the response time can
 *       fall.
 * </ul>
 *
 * <p>Requests queue inside the guest while its vCPU waits, so waits per request are no bound. How
 * many of its vCPUs a guest's programs can use at once is not known; r and ρ are therefore those of
 * the fewest that can have run and waited so much, which gives the higher ceiling. It is a bound of
 * the mean, and no bound where a cap held the guest back: parked time comes in bursts.
 *
 * @param closed 0..1, for a closed load without think time; {@code NaN} if there is no bound
 * @param open 0..1, for any other load; {@code NaN} if there is no bound
 */
public record Ceiling(Verdict verdict, double closed, double open) {
  /** A ceiling below this is not worth a study. */
  static final double LITTLE = 0.05;

  /** Without queues, the bound of an open load is about twice that of a closed one. */
  static final double LITTLE_OF_VISITORS = 2 * LITTLE;

  /** Less of a pCPU is not worth a ceiling. */
  static final double IDLE_PCPUS = 0.01;

  /** From this share on, the waiting time bounds nothing. */
  private static final double FULL = 0.95;

  /** What a closed load may gain at most from a full guest that has nothing to gain. */
  private static final double LEAST_OF_FULL = 0.01;

  /** The share of time from which a cap held a guest back. */
  private static final double LEAST_HELD = 0.002;

  /** The part of its cap from which a guest's bursts may reach it. */
  private static final double NEAR_CAP = 0.1;

  /** What a look found about one guest. */
  public enum Verdict {
    /** Its waits, or all of its shares, are not measured. */
    UNKNOWN,
    /** It used almost nothing. */
    IDLE,
    /** Its own cap or quota held it back, or may have. */
    CAPPED,
    NOTHING_TO_GAIN,
    GAIN,
    /** It always wanted to run. */
    SATURATED
  }

  /**
   * Returns the ceiling of a guest.
   *
   * @param cap the most pCPUs that its settings let it use; empty without a limit
   */
  public static Ceiling of(DomainShares shares, OptionalDouble cap) {
    int vcpus = Math.max(1, shares.vcpus());
    double run = shares.run() * vcpus;
    double ready = run + shares.waiting() * vcpus;
    double held = held(shares);
    if (Double.isNaN(run)) {
      return without(Verdict.UNKNOWN);
    }
    if (isHeld(held, run, cap)) {
      return without(Verdict.CAPPED);
    }
    if (Double.isNaN(ready)) {
      return without(run < IDLE_PCPUS ? Verdict.IDLE : Verdict.UNKNOWN);
    }
    if (ready < IDLE_PCPUS) {
      return without(Verdict.IDLE);
    }
    double f = run / ready;
    double servers = Math.min(vcpus, Math.max(1, Math.ceil(ready)));
    double busy = ready / servers;
    double closed = 1 - f;
    double open = busy < FULL ? 1 - f * f * (1 - busy) / (1 - run / servers) : Double.NaN;
    return new Ceiling(verdict(closed, open, ready / vcpus), closed, open);
  }

  private static Ceiling without(Verdict verdict) {
    return new Ceiling(verdict, Double.NaN, Double.NaN);
  }

  private static Verdict verdict(double closed, double open, double share) {
    if (Double.isNaN(open)
        ? closed < LEAST_OF_FULL
        : closed < LITTLE && open < LITTLE_OF_VISITORS) {
      return Verdict.NOTHING_TO_GAIN;
    }
    return share < FULL ? Verdict.GAIN : Verdict.SATURATED;
  }

  /** Returns the share in which its own limit held it back; {@code NaN} if that is not counted. */
  static double held(DomainShares shares) {
    return shares.others().stream()
        .filter(
            reading ->
                reading.name().equals(Accounts.THROTTLED)
                    || reading.name().equals(HypervisorShares.PARKED))
        .mapToDouble(Reading::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static boolean isHeld(double held, double pcpus, OptionalDouble cap) {
    return Double.isNaN(held)
        ? cap.isPresent() && pcpus >= NEAR_CAP * cap.getAsDouble()
        : held >= LEAST_HELD;
  }

  /** Returns the higher one of both bounds; {@code NaN} if there is none. */
  double most() {
    return Double.isNaN(open) ? closed : open;
  }
}
