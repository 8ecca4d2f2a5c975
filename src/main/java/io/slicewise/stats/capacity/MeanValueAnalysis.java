package io.slicewise.stats.capacity;

import java.util.ArrayList;
import java.util.List;

/**
 * Exact mean-value analysis of a closed network with one class of requests: the response time and
 * rate of n users follow from those of n − 1, because an arriving request finds the queues of a
 * network without it. A station with m servers needs the probabilities of j &lt; m requests in it:
 * R<sub>n</sub> = (D / m) · (1 + Q<sub>n−1</sub> + Σ (m − 1 − j) · p<sub>j,n−1</sub>).
 *
 * <p>Of a {@link Station#nested} station only the wait counts, R<sub>n</sub> − D, since its service
 * runs inside another station's. This makes the result an approximation where one is present.
 *
 * <p>Source: M. Reiser and S. S. Lavenberg, <i>Mean-Value Analysis of Closed Multichain Queuing
 * Networks</i>, Journal of the ACM 27 (1980).
 *
 * <p>Worked example: one server, D = 1 s, Z = 2 s: one user gets 1/3 requests per second in 1 s;
 * two find 1/3 request, so R = 4/3 s and X = 2 / (2 + 4/3) = 0.6 per second.
 *
 * @param users in the network
 * @param throughput requests per second
 * @param response seconds, without the think time
 */
public record MeanValueAnalysis(int users, double throughput, double response) {
  /** Returns the solutions for 1 to {@code users}. */
  public static List<MeanValueAnalysis> of(List<Station> stations, double thinkSeconds, int users) {
    List<Queue> queues = stations.stream().map(Queue::new).toList();
    List<MeanValueAnalysis> all = new ArrayList<>();
    for (int n = 1; n <= users; n++) {
      double response = 0;
      for (Queue queue : queues) {
        response += queue.arrive();
      }
      double rate = n / (thinkSeconds + response);
      queues.forEach(queue -> queue.settle(rate));
      all.add(new MeanValueAnalysis(n, rate, response));
    }
    return List.copyOf(all);
  }

  /** The state of a station: that of one of its copies, since all are alike. */
  private static final class Queue {
    private final Station station;
    private final double seconds;
    private final double[] few;
    private double length;
    private double stay;

    Queue(Station station) {
      this.station = station;
      this.seconds = station.seconds() / station.copies();
      this.few = new double[station.servers()];
      few[0] = 1;
    }

    /** Returns what one more request adds to the response time, at all copies together. */
    double arrive() {
      int servers = station.servers();
      double idle = 0;
      for (int j = 0; j < servers - 1; j++) {
        idle += (servers - 1 - j) * few[j];
      }
      stay = seconds / servers * (1 + length + idle);
      return station.copies() * (station.nested() ? stay - seconds : stay);
    }

    /** Takes over the queue and the probabilities of few requests at that rate. */
    void settle(double rate) {
      length = rate * stay;
      int servers = station.servers();
      double busy = rate * seconds;
      double some = busy;
      for (int j = servers - 1; j >= 1; j--) {
        few[j] = busy / j * few[j - 1];
        some += (servers - j) * few[j];
      }
      // Rounding can make an improbable state negative, which would grow from user to user.
      few[0] = Math.max(0, 1 - some / servers);
    }
  }
}
