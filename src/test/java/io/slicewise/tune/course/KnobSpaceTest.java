package io.slicewise.tune.course;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Placement;
import io.slicewise.profile.PoolWide;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protects the names of candidates: they contain the settings, and their files are safe. */
class KnobSpaceTest {
  private static final Map<String, SchedulerParameters> FOUND =
      Map.of("web", Credit.of(256, 0), "batch", Credit.of(256, 0));

  private static KnobSpace space(Map<String, List<String>> web) {
    Map<String, Map<String, List<String>>> search = new LinkedHashMap<>();
    search.put("web", web);
    search.put("batch", Map.of("weight", List.of("16..1024")));
    return new KnobSpace(search, FOUND, Map.of("web", 1, "batch", 4), 4);
  }

  @Test
  void nameContainsTheSettingsAndTheParametersIfTheyDiffer() {
    KnobSpace weights = space(Map.of("weight", List.of("64..4096")));
    assertThat(weights.name(List.of(512.0, 23.0))).isEqualTo("web 512, batch 23");
    Map<String, List<String>> both = new LinkedHashMap<>();
    both.put("weight", List.of("64..4096"));
    both.put("cap", List.of("10..50", "0"));
    assertThat(space(both).name(List.of(512.0, 50.0, 23.0)))
        .isEqualTo("web weight 512 cap 50, batch weight 23");
  }

  @Test
  void choosesAmongSetsOfPcpusAndAmongValuesOfACpupool() {
    Map<String, SchedulerParameters> found = new LinkedHashMap<>(FOUND);
    found.put("placement of web", Placement.of(List.of("0-3"), List.of("all"), 2));
    found.put("cpupool Pool-0", PoolWide.credit(Duration.ofMillis(30), Duration.ofMillis(1)));
    Map<String, Map<String, List<String>>> search = new LinkedHashMap<>();
    search.put("web", Map.of("affinity", List.of("0", "0-1", "0-3", "0-1")));
    search.put("Pool-0", Map.of("timeslice", List.of("5ms", "30ms")));
    KnobSpace space = new KnobSpace(search, found, Map.of("web", 2, "batch", 4), 4);
    assertThat(space.pointFound()).containsExactly(3.0, 30.0);
    List<Double> point = List.of(2.0, 5.0);
    assertThat(space.name(point)).isEqualTo("web affinity 0-1, Pool-0 timeslice 5 ms");
    assertThat(space.fault(point)).isEmpty();
    SchedulerProfile profile = space.profile("other", point);
    assertThat(profile.scheduler()).contains(Scheduler.CREDIT);
    assertThat(profile.byDomain()).isEmpty();
    assertThat(profile.byTarget().get("placement of web")).hasToString("placement affinity 0-1");
    assertThat(profile.byTarget().get("cpupool Pool-0"))
        .hasToString("credit-pool timeslice 5 ms ratelimit 1 ms");
  }

  @Test
  void oneSetIsNoChoice() {
    Map<String, SchedulerParameters> found = new LinkedHashMap<>(FOUND);
    found.put("placement of web", Placement.of(List.of("0-3"), List.of("all"), 2));
    Map<String, Map<String, List<String>>> search =
        Map.of("web", Map.of("affinity", List.of("0-1", "0,1")));
    assertThatThrownBy(() -> new KnobSpace(search, found, Map.of("web", 2), 4))
        .hasMessageContaining("web affinity has nothing to choose from");
  }

  @Test
  void directoryOfATrialIsASafeFileName() {
    assertThat(new Trial(7, 1, "web 512, batch 23", Load.of(10), 2).slug())
        .isEqualTo("0007-web-512-batch-23-u10-r2");
    assertThat(new Trial(7, 1, "../" + "x/".repeat(300), Load.of(10), 2).slug())
        .doesNotContain("/")
        .hasSizeLessThan(120);
    assertThat(SchedulerProfile.isCalled("web-512-batch-23", "web 512, batch 23")).isTrue();
    assertThat(SchedulerProfile.isCalled("web-512", "web 512, batch 23")).isFalse();
  }
}
