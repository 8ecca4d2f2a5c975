package io.slicewise.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.sim.Demands;
import io.slicewise.sim.PageStep;
import io.slicewise.sim.Place;
import io.slicewise.target.Step;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The lab charges what the one table of demands says, at the steps the application takes. */
class StepCostsTest {
  private static final Map<Place, Integer> DOMIDS =
      Map.of(Place.DOM0, 0, Place.WEB, 1, Place.FILE, 2, Place.DATABASE, 3);

  @Test
  void theModelKnowsTheApplicationsStepsInTheirOrder() {
    assertThat(Arrays.stream(PageStep.values()).map(Enum::name))
        .containsExactlyElementsOf(Arrays.stream(Step.values()).map(Enum::name).toList());
  }

  @Test
  void manyPageViewsCostTheDemandsEach() {
    StepCosts costs = new StepCosts(Demands.LAB, new SplittableRandom(1));
    Map<Integer, Double> millis = new TreeMap<>();
    int pages = 20_000;
    for (int page = 0; page < pages; page++) {
      for (Step step : Step.values()) {
        costs
            .draw(step, DOMIDS)
            .forEach(
                burst -> millis.merge(burst.domid(), burst.nanos() / 1e6 / pages, Double::sum));
      }
    }
    assertThat(millis.get(0)).isCloseTo(16, within(0.2));
    assertThat(millis.get(1)).isCloseTo(10, within(0.2));
    assertThat(millis.get(2)).isCloseTo(8, within(0.2));
    assertThat(millis.get(3)).isCloseTo(10, within(0.2));
  }
}
