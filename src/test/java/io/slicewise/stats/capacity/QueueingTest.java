package io.slicewise.stats.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Mean-value analysis is exact where formulas are known, and inside the operational bounds. */
class QueueingTest {
  @Test
  void isTheWorkedExample() {
    List<MeanValueAnalysis> two = MeanValueAnalysis.of(List.of(Station.single("cpu", 1)), 2, 2);
    assertThat(two.get(0)).isEqualTo(new MeanValueAnalysis(1, 1 / 3.0, 1));
    assertThat(two.get(1).throughput()).isCloseTo(0.6, within(1e-12));
    assertThat(two.get(1).response()).isCloseTo(4 / 3.0, within(1e-12));
  }

  @Test
  void severalServersAreThoseOfTheMachineRepairModel() {
    for (int servers = 1; servers <= 4; servers++) {
      List<Station> cpus = List.of(new Station("cpus", 0.5, servers, 1, false));
      List<MeanValueAnalysis> all = MeanValueAnalysis.of(cpus, 1.5, 12);
      for (int users = 1; users <= 12; users++) {
        assertThat(all.get(users - 1).throughput())
            .as("%d users, %d servers", users, servers)
            .isCloseTo(repair(users, servers, 0.5, 1.5), within(1e-9));
      }
    }
  }

  /** The rate of M/M/m with a finite population, from its birth-death equations. */
  private static double repair(int users, int servers, double service, double think) {
    double weight = 1;
    double sum = 1;
    double rate = 0;
    for (int n = 1; n <= users; n++) {
      weight *= (users - n + 1) / think / (Math.min(n, servers) / service);
      sum += weight;
      rate += weight * Math.min(n, servers) / service;
    }
    return rate / sum;
  }

  @Test
  void twoStationsAreThoseOfTheProductForm() {
    // Gordon and Newell: with demands 1 and 2 and no think time, G(n) = sum of 1^i 2^(n - i).
    List<MeanValueAnalysis> all =
        MeanValueAnalysis.of(List.of(Station.single("a", 1), Station.single("b", 2)), 0, 10);
    for (int users = 1; users <= 10; users++) {
      double rate = (Math.pow(2, users) - 1) / (Math.pow(2, users + 1) - 1);
      assertThat(all.get(users - 1).throughput()).isCloseTo(rate, within(1e-12));
    }
  }

  @Test
  void staysInsideTheBounds() {
    RequestCost cost = new RequestCost(0.02, 0.005, 2, 1, 4, 0);
    for (int guests = 1; guests <= 16; guests++) {
      List<Station> network = cost.network(guests);
      MeanValueAnalysis last = MeanValueAnalysis.of(network, 0.3, 8 * guests).get(8 * guests - 1);
      Bounds bounds = Bounds.of(network, 0.3, 8 * guests);
      assertThat(last.throughput()).isLessThanOrEqualTo(bounds.throughput() + 1e-9);
      assertThat(last.response()).isGreaterThanOrEqualTo(bounds.response() - 1e-9);
    }
  }

  @Test
  void boundsAreThoseOfTheWorkedExample() {
    List<Station> two = List.of(Station.single("cpu", 0.02), Station.single("disk", 0.05));
    assertThat(Bounds.of(two, 1, 1).throughput()).isCloseTo(1 / 1.07, within(1e-12));
    assertThat(Bounds.of(two, 1, 100)).isEqualTo(new Bounds(20, 4));
  }
}
