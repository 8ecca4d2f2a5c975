package io.slicewise.stats;

/**
 * The geometric mean of positive observations with Student's t interval on their logarithms: exp(ȳ
 * ± t((1+c)/2; n−1)·s_y/√n) with y = ln x.
 *
 * <p>Exact for lognormal observations, where {@link StudentInterval} covers less than its nominal
 * confidence; it is about the geometric mean (the median of a lognormal), not the arithmetic one.
 *
 * <p>Source: J. Aitchison and J. A. C. Brown, <i>The Lognormal Distribution</i> (1957), chapter 5.
 *
 * <p>Worked example: 10, 20, 40 at 95 %: mean log = ln 20, s_y = ln 2, half-width on logs =
 * 4.302653 · 0.693147 / √3 = 1.721880, so 20 with [3.574, 111.9].
 */
public final class LogInterval {
  private LogInterval() {}

  /**
   * The estimate: {@code mean} is the geometric mean, {@code deviation} the geometric standard
   * deviation minus one (0.03 = observations scatter by about 3 %); the ends are in the unit of the
   * observations and are not symmetric.
   *
   * @throws IllegalArgumentException if an observation is not a positive finite number
   */
  public static Estimate of(double confidence, double... observations) {
    Estimate logs = StudentInterval.of(confidence, Sample.logs(observations));
    return new Estimate(
        Math.exp(logs.mean()),
        Math.expm1(logs.deviation()),
        logs.n(),
        Math.exp(logs.low()),
        Math.exp(logs.high()),
        confidence);
  }
}
