package io.slicewise.observe;

/**
 * The times of a machine's two readings. Every number is {@code NaN} if it is not known.
 *
 * @param offset the machine's uptime minus the monotonic time of this program, in seconds
 * @param doubt the offset is correct to within so many seconds
 * @param drift seconds per second by which the machine's clock is faster than this program's
 * @param roundTrip the shortest time from asking to the end of the answer, in seconds
 * @param apart the larger distance, of both ends, from the first machine that was read, in seconds
 * @param cpuSeconds CPU time of the probe itself
 * @param spread the time between the readings is correct to within so many seconds, because each
 *     took time in which a vCPU may have waited
 */
public record ProbeTiming(
    double offset,
    double doubt,
    double drift,
    double roundTrip,
    double apart,
    double cpuSeconds,
    double spread) {
  /** Nothing is known. */
  public static final ProbeTiming UNKNOWN =
      new ProbeTiming(
          Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
}
