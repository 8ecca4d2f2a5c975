package io.slicewise.stats.capacity;

import java.util.List;

/**
 * Bounds of a closed network that hold whatever the distribution of service times and the order of
 * service: X(N) ≤ min(N / (R + Z), 1 / D<sub>max</sub>) and R(N) ≥ max(R, N · D<sub>max</sub> − Z),
 * where R is the response time of a request alone, Z the think time and D<sub>max</sub> the time
 * per request of the busiest resource.
 *
 * <p>Source: P. J. Denning and J. P. Buzen, <i>The Operational Analysis of Queueing Network
 * Models</i>, ACM Computing Surveys 10 (1978), section 5.
 *
 * <p>Worked example: demands of 0.02 s and 0.05 s, Z = 1 s: one user gets at most 1 / 1.07 = 0.935
 * requests per second, 100 users 1 / 0.05 = 20, which they need 100 · 0.05 − 1 = 4 s each for.
 *
 * @param throughput requests per second, at most
 * @param response seconds, at least
 */
public record Bounds(double throughput, double response) {
  /** Returns the bounds for a number of users. */
  public static Bounds of(List<Station> stations, double thinkSeconds, int users) {
    double alone =
        stations.stream().filter(station -> !station.nested()).mapToDouble(Station::seconds).sum();
    double slowest = stations.stream().mapToDouble(Station::secondsPerRequest).max().orElse(0);
    return new Bounds(
        Math.min(users / (alone + thinkSeconds), 1 / slowest),
        Math.max(alone, users * slowest - thinkSeconds));
  }
}
