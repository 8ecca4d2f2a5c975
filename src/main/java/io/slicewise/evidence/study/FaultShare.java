package io.slicewise.evidence.study;

import io.slicewise.stats.Correlation;
import io.slicewise.stats.OriginFit;
import java.util.List;

/**
 * The share of page faults in the time that a guest adds. The correlation of the fault rate with
 * the slowdown has the guest's time on both axes; the fit T_xen − T_base = a T_base + b f does not.
 *
 * @param correlation of f_xen / T_xen with the slowdown; the cases are not a random sample
 * @param a the fraction of the base's time that is added independently of faults
 * @param b seconds per fault
 * @param bError standard error of {@code b}
 * @param systemB seconds of system time per fault, by the same fit of system time
 */
public record FaultShare(
    Correlation correlation,
    double a,
    double b,
    double bError,
    double systemB,
    double systemBError) {
  private static final String TIME = "runtime";
  private static final String FAULTS = "page_faults";

  /** The correlation and fits of cases that have running time, system time and faults. */
  public static FaultShare of(List<Pair> pairs) {
    OriginFit time = fit(pairs, TIME);
    OriginFit system = fit(pairs, "sys");
    return new FaultShare(
        Correlation.of(
            Pair.each(pairs, pair -> pair.other().value(FAULTS) / pair.other().value(TIME)),
            Pair.each(pairs, pair -> pair.slowdown(TIME))),
        time.coefficients().get(0),
        time.coefficients().get(1),
        time.standardErrors().get(1),
        system.coefficients().get(1),
        system.standardErrors().get(1));
  }

  private static OriginFit fit(List<Pair> pairs, String metric) {
    return OriginFit.of(
        Pair.each(pairs, pair -> pair.difference(metric)),
        pairs.stream()
            .map(pair -> new double[] {pair.base().value(TIME), pair.other().value(FAULTS)})
            .toArray(double[][]::new));
  }

  /** The percentage of the added time of a metric that faults explain at a cost in seconds each. */
  public static double ofAdded(List<Pair> pairs, String metric, double cost) {
    return 100
        * cost
        * Pair.sum(pairs, pair -> pair.other().value(FAULTS))
        / Pair.sum(pairs, pair -> pair.difference(metric));
  }
}
