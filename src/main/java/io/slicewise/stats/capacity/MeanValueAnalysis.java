package io.slicewise.stats.capacity;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The exact solution of a closed network with one class of requests. Mean-value analysis defines it
 * from user to user, because an arriving request finds the queues of a network without it; at a
 * station with m servers and the probabilities p<sub>j</sub> of j requests in it, R<sub>n</sub> =
 * (D / m) · (1 + Q<sub>n−1</sub> + Σ (m − 1 − j) · p<sub>j,n−1</sub>).
 *
 * <p>Computed that way, the result is wrong for many servers: p<sub>0</sub> is the rest to 1, and
 * its rounding error grows from user to user. The same numbers follow from the normalizing
 * constants G(n), X<sub>n</sub> = G(n − 1) / G(n). They are the coefficients of e<sup>Z·z</sup> · Π
 * Σ<sub>j &lt; m</sub> (1 − j / m) (D·z)<sup>j</sup> / j! / (1 − D·z / m), a product of positive
 * terms.
 *
 * <p>Of a {@link Station#nested} station only the wait counts, R<sub>n</sub> − D, since its service
 * runs inside another station's. This makes the result an approximation where one is present, and
 * is a think time Z shorter by D. If that is negative, terms cancel; the digits that this costs are
 * added beforehand: at most 2 · |Z| · X / ln 10.
 *
 * <p>Sources: M. Reiser and S. S. Lavenberg, <i>Mean-Value Analysis of Closed Multichain Queuing
 * Networks</i>, Journal of the ACM 27 (1980); J. P. Buzen, <i>Computational Algorithms for Closed
 * Queueing Networks with Exponential Servers</i>, Communications of the ACM 16 (1973).
 *
 * <p>Worked example: one server, D = 1 s, Z = 2 s: G = 1, 3, 5, so one user gets 1/3 requests per
 * second in 1 s; two get X = 3 / 5 = 0.6 per second in 2 / 0.6 − 2 = 4/3 s.
 *
 * @param users in the network
 * @param throughput requests per second
 * @param response seconds, without the think time
 */
public record MeanValueAnalysis(int users, double throughput, double response) {
  private static final int DIGITS = 25;

  /** Returns the solutions for 1 to {@code users}. */
  public static List<MeanValueAnalysis> of(List<Station> stations, double thinkSeconds, int users) {
    BigDecimal think = new BigDecimal(thinkSeconds);
    BigDecimal delay =
        stations.stream()
            .filter(Station::nested)
            .map(station -> new BigDecimal(station.seconds()))
            .reduce(think, BigDecimal::subtract);
    double cancelled =
        Math.max(0, -delay.doubleValue()) * Bounds.of(stations, thinkSeconds, users).throughput();
    MathContext digits = new MathContext(DIGITS + (int) Math.ceil(2 * cancelled / Math.log(10)));
    BigDecimal[] constants = exponential(delay, users, digits);
    for (Station station : stations) {
      for (int copy = 0; copy < station.copies(); copy++) {
        constants = with(constants, station, digits);
      }
    }
    List<MeanValueAnalysis> all = new ArrayList<>();
    for (int n = 1; n <= users; n++) {
      BigDecimal rate = constants[n - 1].divide(constants[n], digits);
      BigDecimal cycle = BigDecimal.valueOf(n).divide(rate, digits);
      all.add(new MeanValueAnalysis(n, rate.doubleValue(), cycle.subtract(think).doubleValue()));
    }
    return List.copyOf(all);
  }

  /** Returns the coefficients of e to the power of {@code delay} · z. */
  private static BigDecimal[] exponential(BigDecimal delay, int users, MathContext digits) {
    BigDecimal[] terms = new BigDecimal[users + 1];
    terms[0] = BigDecimal.ONE;
    for (int n = 1; n <= users; n++) {
      terms[n] = terms[n - 1].multiply(delay).divide(BigDecimal.valueOf(n), digits);
    }
    return terms;
  }

  /** Returns the constants of a network to which one copy of the station is added. */
  private static BigDecimal[] with(BigDecimal[] network, Station station, MathContext digits) {
    int servers = station.servers();
    BigDecimal seconds =
        new BigDecimal(station.seconds()).divide(BigDecimal.valueOf(station.copies()), digits);
    BigDecimal perServer = seconds.divide(BigDecimal.valueOf(servers), digits);
    BigDecimal[] few = exponential(seconds, servers, digits);
    for (int j = 0; j < servers; j++) {
      few[j] =
          few[j].multiply(
              BigDecimal.valueOf(servers - j).divide(BigDecimal.valueOf(servers), digits), digits);
    }
    BigDecimal[] sums = new BigDecimal[network.length];
    for (int n = 0; n < network.length; n++) {
      BigDecimal sum = n == 0 ? BigDecimal.ZERO : perServer.multiply(sums[n - 1]);
      for (int j = 0; j < Math.min(servers, n + 1); j++) {
        sum = sum.add(few[j].multiply(network[n - j]), digits);
      }
      sums[n] = sum.round(digits);
    }
    return sums;
  }
}
