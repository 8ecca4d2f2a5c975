package io.slicewise.workload.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.slicewise.base.json.Json;
import io.slicewise.workload.counters.Samples.Series;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Growth from raw samples is that of the requests themselves, against what Prometheus 2.42 answered
 * while 34 requests a second were served and the truth was written down; a reset, a hole or no
 * sample is never a number.
 */
class SamplesTest {
  private static final double BEGAN = 1795440160;
  private static final double TRUE_UNTIL = BEGAN + 330;

  private static JsonNode recorded() throws IOException {
    try (var in =
        new GZIPInputStream(
            SamplesTest.class.getResourceAsStream("/workload/counters/prometheus.json.gz"))) {
      return Json.mapper().readTree(in).path("data").path("result");
    }
  }

  private static Samples recorded(String name, String job) throws IOException {
    ArrayNode some = Json.mapper().createArrayNode();
    for (JsonNode series : recorded()) {
      JsonNode metric = series.path("metric");
      if (metric.path("__name__").asText().equals(name)
          && metric.path("job").asText().equals(job)) {
        some.add(series);
      }
    }
    return Samples.of(name, some);
  }

  /** When requests ended, in seconds, and how long they took. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
  private record Truth(double[] ends, double[] seconds) {
    static Truth read() throws IOException {
      List<Double> ends = new ArrayList<>();
      List<Double> seconds = new ArrayList<>();
      try (var lines =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(
                      SamplesTest.class.getResourceAsStream("/workload/counters/truth.txt.gz")),
                  StandardCharsets.US_ASCII))) {
        double last = BEGAN;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] words = line.split(" ", -1);
          last += Integer.parseInt(words[0]) / 1e3;
          ends.add(last);
          seconds.add(Integer.parseInt(words[1]) / 1e5);
        }
      }
      return new Truth(
          ends.stream().mapToDouble(Double::doubleValue).toArray(),
          seconds.stream().mapToDouble(Double::doubleValue).toArray());
    }

    int until(double at) {
      int place = Arrays.binarySearch(ends, at);
      return place >= 0 ? place + 1 : -place - 1;
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 30", "1, 60", "5, 30", "5, 60", "15, 60", "15, 120"})
  void countsWhatWasServedBetweenTheStamps(int interval, int length) throws IOException {
    Samples counts = recorded("truth_seconds_count", "truth_" + interval + "s");
    Truth truth = Truth.read();
    double[] stamps = counts.all().get(0).at();
    List<Double> off = new ArrayList<>();
    for (double start = BEGAN + 20; start + length < TRUE_UNTIL; start += 3.7) {
      List<String> faults = new ArrayList<>();
      double rate = counts.perSecond(start, start + length, faults);
      assertThat(faults).isEmpty();
      double from = first(stamps, start);
      double to = last(stamps, start + length);
      off.add(Math.abs(rate * (to - from) / (truth.until(to) - truth.until(from)) - 1));
    }
    assertThat(off).hasSizeGreaterThan(40).allMatch(part -> part <= 0.0095);
    assertThat(off.stream().filter(part -> part <= 0.0075).count())
        .isGreaterThanOrEqualTo(Math.round(0.97 * off.size()));
  }

  private static double first(double[] stamps, double from) {
    return Arrays.stream(stamps).filter(stamp -> stamp >= from).findFirst().orElseThrow();
  }

  private static double last(double[] stamps, double until) {
    return Arrays.stream(stamps).filter(stamp -> stamp <= until).max().orElseThrow();
  }

  @Test
  void dividesSumByCountToTheMeanOfTheRequests() throws IOException {
    Samples sums = recorded("truth_seconds_sum", "truth_5s");
    Samples counts = recorded("truth_seconds_count", "truth_5s");
    Truth truth = Truth.read();
    double[] stamps = counts.all().get(0).at();
    List<Double> off = new ArrayList<>();
    for (double start = BEGAN + 20; start + 60 < TRUE_UNTIL; start += 3.7) {
      List<String> faults = new ArrayList<>();
      double mean = sums.total(start, start + 60, faults) / counts.total(start, start + 60, faults);
      int from = truth.until(first(stamps, start));
      int to = truth.until(last(stamps, start + 60));
      double exact = Arrays.stream(truth.seconds(), from, to).average().orElseThrow();
      off.add(Math.abs(mean / exact - 1));
    }
    off.sort(Double::compare);
    assertThat(off.get(off.size() / 2)).isLessThan(0.001);
    assertThat(off.get(off.size() * 9 / 10)).isLessThan(0.01);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 15})
  void isVoidWhereACounterWasReset(int interval) throws IOException {
    Samples samples = recorded("truth_seconds_count", "reset_" + interval + "s");
    int voided = 0;
    for (double start = BEGAN + 30; start < BEGAN + 560; start += 10) {
      List<String> faults = new ArrayList<>();
      double rate = samples.perSecond(start, start + 60, faults);
      if (faults.isEmpty()) {
        assertThat(rate).isBetween(10.0, 200.0);
      } else {
        voided++;
        assertThat(rate).isNaN();
        assertThat(faults).singleElement().asString().contains("was reset: it fell from");
      }
    }
    assertThat(voided).isBetween(4, 6);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 15})
  void isVoidWhereNothingWasRead(int interval) throws IOException {
    Samples samples = recorded("truth_seconds_count", "gap_" + interval + "s");
    int voided = 0;
    for (double start = BEGAN + 30; start < BEGAN + 560; start += 10) {
      List<String> faults = new ArrayList<>();
      if (Double.isNaN(samples.perSecond(start, start + 60, faults))) {
        voided++;
        assertThat(faults).singleElement().asString().contains("was not read for");
      }
    }
    assertThat(voided).isBetween(5, 12);
  }

  @Test
  void refusesPercentilesOfWideBuckets() throws IOException {
    Samples samples = recorded("truth_seconds_bucket", "truth_15s");
    List<String> faults = new ArrayList<>();
    assertThat(samples.percentile(95, BEGAN + 60, BEGAN + 120, faults)).isNaN();
    assertThat(faults).singleElement().asString().contains("150 % wide", "use the mean");
  }

  @Test
  void readsAPercentileOfNarrowBucketsWithinTheirWidth() {
    Random random = new Random(7);
    double[] seconds =
        random.doubles(4_000).map(u -> 0.02 * Math.exp(random.nextGaussian() * 0.5)).toArray();
    List<Series> buckets = new ArrayList<>();
    for (double bound = 0.001; bound < 1; bound *= 1.1) {
      buckets.add(bucket(bound, seconds));
    }
    buckets.add(bucket(Double.POSITIVE_INFINITY, seconds));
    Arrays.sort(seconds);
    List<String> faults = new ArrayList<>();
    assertThat(new Samples("b", buckets).percentile(95, 0, 60, faults))
        .isCloseTo(seconds[3_800], within(0.03 * seconds[3_800]));
    assertThat(faults).isEmpty();
    assertThat(new Samples("b", buckets.subList(0, 3)).percentile(95, 0, 60, faults)).isNaN();
  }

  private static Series bucket(double bound, double[] seconds) {
    double count = Arrays.stream(seconds).filter(one -> one <= bound).count();
    return series("{le}", bound, 5, i -> count * i / 12);
  }

  private static Series series(
      String labels, double bound, double interval, java.util.function.IntToDoubleFunction value) {
    return new Series(
        labels,
        bound,
        IntStream.rangeClosed(0, 12).mapToDouble(i -> interval * i).toArray(),
        IntStream.rangeClosed(0, 12).mapToDouble(value).toArray());
  }

  @Test
  void addsTheGrowthOfSeveralSeriesAndAcceptsNoneThatIsMissing() {
    Series one = series("{a}", Double.NaN, 5, i -> 100 + 10 * i);
    Series other = series("{b}", Double.NaN, 5, i -> 30 * i);
    List<String> faults = new ArrayList<>();
    assertThat(new Samples("s", List.of(one, other)).perSecond(0, 60, faults)).isEqualTo(8);
    assertThat(faults).isEmpty();
    Series gone = new Series("{c}", Double.NaN, new double[] {0, 5, 10}, new double[] {0, 1, 2});
    assertThat(new Samples("s", List.of(one, gone)).perSecond(0, 60, faults)).isNaN();
    assertThat(faults).singleElement().asString().contains("was not read for 50.0 s", "{c}");
  }

  @Test
  void hasNoNumberWithoutSamplesOrInAWindowTooShort() {
    List<String> faults = new ArrayList<>();
    assertThat(new Samples("nothing", List.of()).perSecond(0, 60, faults)).isNaN();
    assertThat(faults).containsExactly("nothing has no sample");
    faults.clear();
    Series rare = series("{}", Double.NaN, 15, i -> i);
    assertThat(new Samples("rare", List.of(rare)).perSecond(61, 71, faults)).isNaN();
    assertThat(faults).singleElement().asString().contains("lengthen 'window' of design to 30s");
    faults.clear();
    Series broken = series("{}", Double.NaN, 5, i -> i == 6 ? Double.NaN : i);
    assertThat(new Samples("broken", List.of(broken)).perSecond(0, 60, faults)).isNaN();
    assertThat(faults).singleElement().asString().contains("no number");
  }
}
