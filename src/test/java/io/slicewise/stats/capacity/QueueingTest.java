package io.slicewise.stats.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Mean-value analysis is exact where formulas are known, and inside the operational bounds. */
class QueueingTest {
  private static final MathContext EXACT = new MathContext(400);

  @Test
  void isTheWorkedExample() {
    List<MeanValueAnalysis> two = MeanValueAnalysis.of(List.of(Station.single("cpu", 1)), 2, 2);
    assertThat(two.get(0)).isEqualTo(new MeanValueAnalysis(1, 1 / 3.0, 1));
    assertThat(two.get(1).throughput()).isCloseTo(0.6, within(1e-12));
    assertThat(two.get(1).response()).isCloseTo(4 / 3.0, within(1e-12));
  }

  @Test
  void severalServersAreThoseOfTheMachineRepairModel() {
    for (int servers : List.of(1, 3, 16, 64)) {
      for (double think : List.of(0.01, 1.0)) {
        List<Station> cpus = List.of(new Station("cpus", 0.02, servers, 1, false));
        List<MeanValueAnalysis> all = MeanValueAnalysis.of(cpus, think, 2000);
        for (int users : List.of(1, 17, 84, 571, 2000)) {
          BigDecimal rate = repair(users, servers, 0.02, think);
          MeanValueAnalysis one = all.get(users - 1);
          assertClose(one, rate, think, "%d users, %d servers".formatted(users, servers));
        }
      }
    }
    List<Station> sixteen = List.of(new Station("cpus", 0.02, 16, 1, false));
    assertThat(1000 * MeanValueAnalysis.of(sixteen, 1, 571).get(570).response())
        .isCloseTo(20.494, within(0.001));
  }

  /** The rate of M/M/m with a finite population, from its birth-death equations. */
  private static BigDecimal repair(int users, int servers, double service, double think) {
    BigDecimal weight = BigDecimal.ONE;
    BigDecimal sum = weight;
    BigDecimal rate = BigDecimal.ZERO;
    for (int n = 1; n <= users; n++) {
      BigDecimal done =
          BigDecimal.valueOf(Math.min(n, servers))
              .divide(new BigDecimal(service), MathContext.DECIMAL128);
      weight =
          weight
              .multiply(BigDecimal.valueOf(users - n + 1))
              .divide(new BigDecimal(think).multiply(done), MathContext.DECIMAL128);
      sum = sum.add(weight, MathContext.DECIMAL128);
      rate = rate.add(weight.multiply(done), MathContext.DECIMAL128);
    }
    return rate.divide(sum, MathContext.DECIMAL128);
  }

  private static void assertClose(
      MeanValueAnalysis actual, BigDecimal rate, double think, String what) {
    double response =
        BigDecimal.valueOf(actual.users())
            .divide(rate, EXACT)
            .subtract(new BigDecimal(think))
            .doubleValue();
    assertThat(actual.throughput() / rate.doubleValue()).as(what).isCloseTo(1, within(1e-9));
    assertThat(actual.response() / response).as(what).isCloseTo(1, within(1e-9));
  }

  /** The vCPUs of guests are stations inside the pCPUs, also where nobody thinks. */
  @Test
  void guestsOnAHostAreThoseOfTheRecursionInExactArithmetic() {
    List<RequestCost> hosts =
        List.of(
            new RequestCost(0.02, 0.005, 1, 1, 8, 0),
            new RequestCost(0.03, 0.001, 4, 1, 32, 2),
            new RequestCost(0.02, 0.0, 16, 0, 32, 0));
    for (RequestCost cost : hosts) {
      for (double think : List.of(0.0, 0.015, 1.0)) {
        List<Station> network = cost.network(40);
        BigDecimal rate = recursion(network, think, 80);
        MeanValueAnalysis last = MeanValueAnalysis.of(network, think, 80).get(79);
        assertClose(last, rate, think, "%s, %s s".formatted(cost, think));
      }
    }
  }

  /** The rate by mean-value analysis from user to user, with the digits that its rounding needs. */
  private static BigDecimal recursion(List<Station> network, double think, int users) {
    int stations = network.size();
    BigDecimal[] length = new BigDecimal[stations];
    Arrays.fill(length, BigDecimal.ZERO);
    List<BigDecimal[]> few = new ArrayList<>();
    for (Station station : network) {
      BigDecimal[] empty = new BigDecimal[station.servers()];
      Arrays.fill(empty, BigDecimal.ZERO);
      empty[0] = BigDecimal.ONE;
      few.add(empty);
    }
    BigDecimal rate = BigDecimal.ZERO;
    for (int n = 1; n <= users; n++) {
      BigDecimal cycle = new BigDecimal(think);
      BigDecimal[] stay = new BigDecimal[stations];
      for (int s = 0; s < stations; s++) {
        Station station = network.get(s);
        BigDecimal found = length[s].add(BigDecimal.ONE);
        for (int j = 0; j < station.servers() - 1; j++) {
          found = found.add(few.get(s)[j].multiply(BigDecimal.valueOf(station.servers() - 1 - j)));
        }
        BigDecimal copies = BigDecimal.valueOf(station.copies());
        BigDecimal seconds = new BigDecimal(station.seconds()).divide(copies, EXACT);
        stay[s] = seconds.multiply(found).divide(BigDecimal.valueOf(station.servers()), EXACT);
        BigDecimal counted = station.nested() ? stay[s].subtract(seconds) : stay[s];
        cycle = cycle.add(counted.multiply(copies));
      }
      rate = BigDecimal.valueOf(n).divide(cycle, EXACT);
      for (int s = 0; s < stations; s++) {
        Station station = network.get(s);
        BigDecimal busy =
            rate.multiply(new BigDecimal(station.seconds()))
                .divide(BigDecimal.valueOf(station.copies()), EXACT);
        length[s] = rate.multiply(stay[s], EXACT);
        BigDecimal some = busy;
        BigDecimal[] old = few.get(s);
        for (int j = station.servers() - 1; j >= 1; j--) {
          old[j] = busy.multiply(old[j - 1]).divide(BigDecimal.valueOf(j), EXACT);
          some = some.add(old[j].multiply(BigDecimal.valueOf(station.servers() - j)));
        }
        old[0] = BigDecimal.ONE.subtract(some.divide(BigDecimal.valueOf(station.servers()), EXACT));
      }
    }
    return rate;
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
