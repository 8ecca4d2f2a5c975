package io.slicewise.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.guest.Scenes.StepCosts;
import io.slicewise.lab.guest.ServiceTimes.StartScatter;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.WebApplicationModel.PageStep;
import io.slicewise.workload.target.WebApplication.Step;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The lab charges what the one table of demands says, at the steps the application takes. */
class StepCostsTest {
  private static final Map<Place, String> APART =
      Map.of(Place.DOM0, "dom0", Place.WEB, "web", Place.FILE, "nfs", Place.DATABASE, "db");
  private static final Map<Place, String> TOGETHER =
      Map.of(Place.DOM0, "dom0", Place.WEB, "vps", Place.FILE, "vps", Place.DATABASE, "vps");

  @Test
  void theModelKnowsTheApplicationsStepsInTheirOrder() {
    assertThat(Arrays.stream(PageStep.values()).map(Enum::name))
        .containsExactlyElementsOf(Arrays.stream(Step.values()).map(Enum::name).toList());
  }

  @Test
  void manyPageViewsCostTheDemandsEach() {
    Map<String, Double> millis = millisOfAPage(APART);
    assertThat(millis.get("dom0")).isCloseTo(16, within(0.2));
    assertThat(millis.get("web")).isCloseTo(10, within(0.2));
    assertThat(millis.get("nfs")).isCloseTo(8, within(0.2));
    assertThat(millis.get("db")).isCloseTo(10, within(0.2));
  }

  @Test
  void whatStaysInsideOneGuestDoesNotPassThroughTheControlDomain() {
    Map<String, Double> millis = millisOfAPage(TOGETHER);
    assertThat(millis.get("vps")).isCloseTo(28, within(0.3));
    assertThat(millis.get("dom0")).isCloseTo(6, within(0.2));
  }

  private static Map<String, Double> millisOfAPage(Map<Place, String> domains) {
    StepCosts costs =
        new StepCosts(
            Demands.LAB,
            domains,
            new ServiceTimes(
                new SplittableRandom(1), new StartScatter(0, new SplittableRandom(1), () -> 0)));
    Map<String, Double> millis = new TreeMap<>();
    int pages = 20_000;
    for (int page = 0; page < pages; page++) {
      for (Step step : Step.values()) {
        costs
            .draw(step)
            .forEach(work -> millis.merge(work.domain(), work.nanos() / 1e6 / pages, Double::sum));
      }
    }
    return millis;
  }
}
