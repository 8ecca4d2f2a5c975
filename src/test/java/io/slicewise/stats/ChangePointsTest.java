package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.stats.ChangePoints.Change;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Protects changes over nights: against values computed elsewhere ({@code change_points.py} says
 * how), against series without any change, and against the limits that are promised.
 */
class ChangePointsTest {
  private static final double LEVEL = 0.01;

  private static JsonNode reference() throws IOException {
    try (InputStream in = ChangePointsTest.class.getResourceAsStream("change_points.json")) {
      return new ObjectMapper().readTree(in).get("rows");
    }
  }

  private static double[] numbers(JsonNode node) {
    double[] numbers = new double[node.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = node.get(i).isNull() ? Double.NaN : node.get(i).asDouble();
    }
    return numbers;
  }

  @Test
  void statisticIsThatOfItsDefinition() throws IOException {
    for (JsonNode row : reference()) {
      double[] expected = numbers(row.get("q"));
      double[] q = ChangePoints.statistics(numbers(row.get("series")));
      for (int i = 0; i < q.length; i++) {
        if (Double.isNaN(expected[i])) {
          assertThat(q[i]).isNaN();
        } else {
          assertThat(q[i]).isCloseTo(expected[i], within(1e-9));
        }
      }
    }
  }

  @Test
  void findsWhatAnotherImplementationFinds() throws IOException {
    for (JsonNode row : reference()) {
      if (!row.get("changes").isNull()) {
        List<Integer> found =
            ChangePoints.of(numbers(row.get("series")), LEVEL, 1).stream()
                .map(Change::index)
                .toList();
        assertThat(found)
            .as(row.get("name").asText())
            .containsExactlyElementsOf(
                Arrays.stream(numbers(row.get("changes"))).mapToObj(x -> (int) x).toList());
      }
    }
  }

  @Test
  void chanceOfASplitIsThatOfManyMoreShuffles() throws IOException {
    for (JsonNode row : reference()) {
      if (!row.get("p").isNull()) {
        double p = row.get("p").asDouble();
        double[] series = numbers(row.get("series"));
        // Four standard errors of a share of 999.
        double doubt = 4 * Math.sqrt(p * (1 - p) / 999) + 0.001;
        assertThat(ChangePoints.of(series, 1, 1)).isNotEmpty();
        assertThat(ChangePoints.of(series, Math.min(1, p + doubt), 1)).isNotEmpty();
        assertThat(ChangePoints.of(series, Math.max(0, p - doubt), 1)).isEmpty();
      }
    }
  }

  @Test
  void workedExample() {
    assertThat(ChangePoints.statistics(new double[] {1, 1, 1, 3, 3, 3})[3]).isEqualTo(6);
    double[] nights = {1, 1, 1, 1, 1, 3, 3, 3, 3, 3};
    assertThat(ChangePoints.of(nights, 0.02, 1)).extracting(Change::index).containsExactly(5);
  }

  @Test
  void saysNothingOfFewNightsOrEqualOnes() {
    assertThat(ChangePoints.of(new double[] {1, 1, 1, 1, 9, 9, 9, 9, 9}, LEVEL, 1)).isEmpty();
    assertThat(ChangePoints.of(new double[30], LEVEL, 1)).isEmpty();
    double[] outlier = new double[20];
    outlier[19] = 100;
    assertThat(ChangePoints.of(outlier, LEVEL, 1)).isEmpty();
  }

  @Test
  void sameSeedSameAnswer() {
    double[] series = new Random(5).doubles(25).toArray();
    assertThat(ChangePoints.of(series, 0.5, 9)).isEqualTo(ChangePoints.of(series, 0.5, 9));
  }

  /** Of 300 series without change at most 2.7 % may be told to have one: 1 % and three errors. */
  @Test
  void falseAlarmsAreAsRareAsTheLevelSays() {
    Random random = new Random(20261120);
    int alarms = 0;
    for (int round = 0; round < 300; round++) {
      double[] series = random.doubles(20).map(x -> random.nextGaussian()).toArray();
      alarms += ChangePoints.of(series, LEVEL, round).isEmpty() ? 0 : 1;
    }
    assertThat(alarms).isLessThanOrEqualTo(8);
  }

  /** A step of three deviations five nights ago, after fifteen nights. */
  @Test
  void plantedStepIsFoundWhereItIs() {
    Random random = new Random(7);
    int found = 0;
    int near = 0;
    for (int round = 0; round < 100; round++) {
      double[] series = new double[20];
      Arrays.setAll(series, i -> random.nextGaussian() + (i < 15 ? 0 : 3));
      List<Change> changes = ChangePoints.of(series, LEVEL, round);
      found += changes.isEmpty() ? 0 : 1;
      near += changes.stream().anyMatch(change -> Math.abs(change.index() - 15) <= 1) ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(90);
    assertThat(near).isGreaterThanOrEqualTo(85);
  }
}
