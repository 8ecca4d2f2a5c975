package io.slicewise.evidence.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.DocumentSection;
import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.HsuBest;
import io.slicewise.stats.IntervalMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Protects {@code --interval published}: it rebuilds the 2010 study's tables from the study's own
 * means and deviations. And {@code docs/methods.md}: what it sets beside them is what the
 * procedures give today.
 */
class StudyIntervalsTest {
  private static final StudyTable TABLE = StudyRulesTest.study(StudyRulesTest.TABLE);

  /** Half of the last printed digit of a deviation. */
  private static final double HALF_A_DIGIT = 0.005;

  @Test
  void rebuildsTheIntervalsOfTable53() {
    int digitByDigit = 0;
    for (Row rate : StudyRules.rows(TABLE, "throughput")) {
      int n = runs(rate);
      double rebuilt = halfWidth(IntervalMethod.PUBLISHED, rate, n);
      if (print(rebuilt).equals(print(rate.halfWidth()))) {
        digitByDigit++;
      }
      double roundingOfTheDeviation = 1.96 * HALF_A_DIGIT / Math.sqrt(n);
      assertThat(Math.abs(rebuilt - rate.halfWidth()))
          .as(rate.place())
          .isLessThan(roundingOfTheDeviation + HALF_A_DIGIT + 1e-9);
    }
    assertThat(digitByDigit).isEqualTo(44);
  }

  @Test
  void studentIntervalsAreWiderThanThePrintedOnes() {
    for (Row rate : StudyRules.rows(TABLE, "throughput")) {
      double ratio = halfWidth(IntervalMethod.STUDENT, rate, runs(rate)) / rate.halfWidth();
      assertThat(ratio).as(rate.place()).isBetween(1.41, 1.63);
    }
  }

  @Test
  void documentShowsTheIntervalsSideBySide() {
    StringBuilder text = new StringBuilder();
    text.append("| profile | users | requests/s | printed | n | Student |\n");
    text.append("|---|---:|---:|---:|---:|---:|\n");
    for (Row rate : StudyRules.rows(TABLE, "throughput")) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %.2f | ± %.2f | %d | ± %.2f |\n",
              rate.profile(),
              rate.users(),
              rate.mean(),
              rate.halfWidth(),
              runs(rate),
              halfWidth(IntervalMethod.STUDENT, rate, runs(rate))));
    }
    DocumentSection.of("docs/methods.md", "table-5.3").holds(text.toString());
  }

  @Test
  void documentShowsTheBestSets() {
    StringBuilder text = new StringBuilder();
    text.append("| users | highest mean | indistinguishable from the best (Hsu, 95 %) |\n");
    text.append("|---:|---|---|\n");
    for (int users : new int[] {25, 50, 100, 500, 800}) {
      List<Row> rows =
          StudyRules.rows(TABLE, "throughput").stream()
              .filter(row -> row.users() == users)
              .toList();
      HsuBest best =
          HsuBest.independent(
              0.95,
              rows.stream().map(StudyIntervalsTest::sample).toList(),
              new double[rows.size()]);
      List<String> set = best.bestSet().stream().map(i -> rows.get(i).profile()).toList();
      text.append(
          String.format(
              Locale.ROOT,
              "| %d | %s | %d of %d: %s |\n",
              users,
              rows.stream().max(Comparator.comparingDouble(Row::mean)).orElseThrow().profile(),
              set.size(),
              rows.size(),
              String.join(", ", set)));
    }
    DocumentSection.of("docs/methods.md", "best-sets").holds(text.toString());
  }

  private static double halfWidth(IntervalMethod method, Row rate, int n) {
    Estimate estimate = method.estimate(0.95, sample(rate.mean(), rate.deviation(), n));
    return estimate.halfWidth();
  }

  private static double[] sample(Row rate) {
    return sample(rate.mean(), rate.deviation(), runs(rate));
  }

  /** Observations that have exactly this mean and deviation: all that the procedures look at. */
  private static double[] sample(double mean, double deviation, int n) {
    List<Double> raw = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      raw.add(i - (n - 1) / 2.0);
    }
    double squares = raw.stream().mapToDouble(x -> x * x).sum();
    double scale = deviation / Math.sqrt(squares / (n - 1));
    return raw.stream().mapToDouble(x -> mean + scale * x).toArray();
  }

  private static int runs(Row rate) {
    double ratio = 1.959963984540054 * rate.deviation() / rate.halfWidth();
    return (int) Math.round(ratio * ratio);
  }

  private static String print(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
