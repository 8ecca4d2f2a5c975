package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.stats.power.DesignPower;
import io.slicewise.stats.power.SteinTwoStage;
import io.slicewise.stats.table.OrderDrift;
import io.slicewise.stats.table.TukeyFences;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Protects the procedures against values computed elsewhere: {@code reference.py} beside the values
 * says how they were made.
 */
class ReferenceTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final JsonNode REFERENCE = read();

  @Test
  void intervals() {
    for (JsonNode row : REFERENCE.get("intervals")) {
      double[] x = numbers(row.get("x"));
      double confidence = number(row, "confidence");

      Estimate student = StudentInterval.of(confidence, x);
      assertThat(student.mean()).isCloseTo(number(row, "mean"), EXACT);
      assertThat(student.deviation()).isCloseTo(number(row, "sd"), EXACT);
      assertRelative(student.low(), number(row, "low"));
      assertRelative(student.high(), number(row, "high"));
      Estimate log = LogInterval.of(confidence, x);
      assertRelative(log.low(), number(row, "loglow"));
      assertRelative(log.high(), number(row, "loghigh"));
      assertRelative(PublishedInterval.of(confidence, x).halfWidth(), number(row, "published"));
    }
  }

  @Test
  void blockedEffectsAndEquivalence() {
    for (JsonNode row : REFERENCE.get("effects")) {
      Effect effect = BlockedEffect.of(numbers(row.get("x")), numbers(row.get("base")));
      assertThat(effect.pValue()).isCloseTo(number(row, "p"), EXACT);
      assertRelative(effect.lowPercent(0.95), number(row, "low"));
      assertRelative(effect.highPercent(0.95), number(row, "high"));
      assertThat(Equivalence.pValue(effect, Band.DEFAULT)).isCloseTo(number(row, "tost"), EXACT);
    }
  }

  @Test
  void effectsAcrossNights() {
    for (JsonNode row : REFERENCE.get("effects")) {
      double[] other = numbers(row.get("other"));
      double[] base = numbers(row.get("base"));
      Effect effect = WelchEffect.of(other, base);
      assertThat(effect.degreesOfFreedom()).isCloseTo(number(row, "welch_df"), EXACT);
      assertThat(effect.pValue()).isCloseTo(number(row, "welch_p"), EXACT);
      assertRelative(effect.lowPercent(0.95), number(row, "welch_low"));
      assertRelative(effect.highPercent(0.95), number(row, "welch_high"));
      MannWhitney ranks = MannWhitney.of(other, base);
      assertThat(ranks.u()).isEqualTo(number(row, "u"));
      assertThat(ranks.pValue()).isCloseTo(number(row, "rank_p"), EXACT);
    }
  }

  @Test
  void rankTests() {
    for (JsonNode row : REFERENCE.get("ranks")) {
      MannWhitney ranks = MannWhitney.of(numbers(row.get("x")), numbers(row.get("y")));
      assertThat(ranks.u()).isEqualTo(number(row, "u"));
      assertThat(ranks.pValue()).isCloseTo(number(row, "p"), EXACT);
    }
  }

  @Test
  void holm() {
    for (JsonNode row : REFERENCE.get("holm")) {
      assertThat(Holm.adjust(numbers(row.get("p"))))
          .containsExactly(numbers(row.get("adjusted")), EXACT);
    }
  }

  @Test
  void bestSetInBlocks() {
    JsonNode row = REFERENCE.get("best_blocked");
    assertProbabilities(HsuBest.blocked(0.95, settings(row), new double[5]), row);
  }

  @Test
  void bestSetOfUnequalNumbersAndScatter() {
    JsonNode row = REFERENCE.get("best_unequal");
    assertProbabilities(HsuBest.independent(0.95, settings(row), new double[4]), row);
  }

  private static List<double[]> settings(JsonNode row) {
    List<double[]> settings = new ArrayList<>();
    row.get("y").forEach(setting -> settings.add(numbers(setting)));
    return settings;
  }

  private static void assertProbabilities(HsuBest best, JsonNode row) {
    double[] p = best.contenders().stream().mapToDouble(HsuBest.Contender::p).toArray();
    assertThat(p).containsExactly(numbers(row.get("p")), EXACT);
    assertThat(best.bestSet())
        .containsExactlyElementsOf(
            Arrays.stream(numbers(row.get("set"))).mapToObj(i -> (int) i).toList());
  }

  @Test
  void designPower() {
    for (JsonNode row : REFERENCE.get("power")) {
      assertThat(design(row).smallestEffect()).isCloseTo(number(row, "effect"), EXACT);
    }
    for (JsonNode row : REFERENCE.get("power_far")) {
      assertRelative(design(row).smallestEffect(), number(row, "effect"));
    }
  }

  private static DesignPower design(JsonNode row) {
    return new DesignPower(
        row.get("blocks").intValue(), number(row, "cv"), row.get("comparisons").intValue());
  }

  @Test
  void repetitionsNeeded() {
    for (JsonNode row : REFERENCE.get("needed")) {
      assertThat(Repetitions.needed(number(row, "cv"), number(row, "precision"), 0.95))
          .hasValue(row.get("n").intValue());
    }
  }

  @Test
  void confidenceSequences() {
    for (JsonNode row : REFERENCE.get("sequences")) {
      double[] sample = ofUnitDeviation(row.get("n").intValue());
      Estimate estimate = new ConfidenceSequence(number(row, "g"), 0.95).of(sample);
      assertThat(estimate.deviation()).isCloseTo(1, EXACT);
      assertThat(estimate.halfWidth()).isCloseTo(number(row, "factor"), EXACT);
    }
  }

  @Test
  void driftAgainstRunOrder() {
    for (JsonNode row : REFERENCE.get("drift")) {
      assertDrift(row, OrderDrift.of(numbers(row.get("x")), wholes(row.get("cells"))));
    }
    for (String layouts : List.of("blocked_drift", "tangled_drift")) {
      for (JsonNode row : REFERENCE.get(layouts)) {
        int[] cells = wholes(row.get("cells"));
        assertDrift(row, OrderDrift.of(numbers(row.get("x")), cells, wholes(row.get("blocks"))));
      }
    }
  }

  private static void assertDrift(JsonNode row, OrderDrift drift) {
    assertThat(drift.slope()).isCloseTo(number(row, "slope"), EXACT);
    assertThat(drift.slopeP()).isCloseTo(number(row, "p"), EXACT);
    assertThat(drift.lagOne()).isCloseTo(number(row, "lag"), EXACT);
  }

  private static int[] wholes(JsonNode row) {
    return Arrays.stream(numbers(row)).mapToInt(number -> (int) number).toArray();
  }

  @Test
  void twoStages() {
    for (JsonNode row : REFERENCE.get("stein")) {
      double[] logs = Sample.logs(numbers(row.get("x")));
      double[] first = Arrays.copyOf(logs, row.get("first").intValue());
      SteinTwoStage stein = SteinTwoStage.after(0.95, first);
      assertThat(stein.total(number(row, "half"))).isEqualTo(row.get("total").intValue());
      assertThat(stein.interval(logs).halfWidth()).isCloseTo(number(row, "width"), EXACT);
    }
  }

  @Test
  void cutsOfSeries() {
    for (JsonNode row : REFERENCE.get("mser")) {
      assertThat(Mser5.of(numbers(row.get("x"))).cut()).isEqualTo(row.get("cut").intValue());
    }
  }

  @Test
  void namedOutliers() {
    for (JsonNode row : REFERENCE.get("tukey")) {
      assertThat(TukeyFences.outside(numbers(row.get("x"))))
          .isEqualTo(
              Arrays.stream(numbers(row.get("outside"))).mapToObj(place -> (int) place).toList());
    }
  }

  private static double[] ofUnitDeviation(int n) {
    double[] sample = new double[n];
    for (int i = 0; i < n; i++) {
      sample[i] = i % 2 == 0 ? 1 : -1;
    }
    double deviation = Sample.deviation(sample);
    for (int i = 0; i < n; i++) {
      sample[i] = 100 + sample[i] / deviation;
    }
    return sample;
  }

  private static void assertRelative(double actual, double expected) {
    assertThat(actual).isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
  }

  private static double number(JsonNode row, String name) {
    return row.get(name).doubleValue();
  }

  private static double[] numbers(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false)
        .mapToDouble(JsonNode::doubleValue)
        .toArray();
  }

  private static JsonNode read() {
    try (InputStream in = ReferenceTest.class.getResourceAsStream("reference.json")) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
