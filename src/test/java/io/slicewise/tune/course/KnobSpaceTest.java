package io.slicewise.tune.course;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Placement;
import io.slicewise.profile.PoolWide;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Scope;
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

  private static KnobSpace ofOne(SchedulerParameters found, String key, String... values) {
    String target = key.equals("timeslice") ? "cpupool Pool-0" : "web";
    return new KnobSpace(
        Map.of(Scope.name(target), Map.of(key, List.of(values))),
        Map.of(target, found),
        Map.of("web", 1),
        4);
  }

  /** xl sets time slices, and the times of sEDF, in whole milliseconds only. */
  @Test
  void pointsAreValuesThatTheToolsCanSet() {
    SchedulerParameters pool = PoolWide.credit(Duration.ofMillis(30), Duration.ofMillis(2));
    KnobSpace slices = ofOne(pool, "timeslice", "1ms..10ms");
    assertThat(slices.knobs().get(0).steps()).containsExactly(1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0);
    assertThat(slices.fault(List.of(1.0)))
        .contains("ratelimit 2ms is longer than the timeslice 1ms");
    assertThat(
            ofOne(SchedulerParameters.defaults(Scheduler.SEDF), "slice", "1.5ms..6ms")
                .knobs()
                .get(0)
                .steps())
        .containsExactly(2.0, 3.0, 4.0, 6.0);
    assertThat(
            ofOne(SchedulerParameters.defaults(Scheduler.RTDS), "budget", "1ms..2ms")
                .knobs()
                .get(0)
                .steps())
        .containsExactly(1.0, 1.414, 2.0);
    assertThatThrownBy(() -> ofOne(pool, "timeslice", "1.2ms..1.9ms"))
        .hasMessage("search of tune: Pool-0 timeslice has nothing to search in");
  }

  @Test
  void aGroupWithoutSharesOfItsOwnHasNoPoint() {
    SchedulerParameters group = SchedulerParameters.defaults(Scheduler.FAIR);
    assertThat(ofOne(group, "shares", "50..200").pointFound()).isEmpty();
    assertThat(ofOne(group.with(Fair.SHARES, 50), "shares", "50..200").pointFound())
        .containsExactly(50.0);
    SchedulerParameters idle = group.with(Fair.IDLE, true);
    assertThat(ofOne(idle, "cap", "10..100").pointFound()).containsExactly(400.0);
    assertThatThrownBy(() -> ofOne(idle, "shares", "50..200"))
        .hasMessage(
            "search of tune: web shares has no effect, because the group is of the idle class");
    assertThatThrownBy(() -> ofOne(group, "idle", "0..2"))
        .hasMessage("search of tune: web idle is true or false, which a search cannot vary");
  }

  @Test
  void aCapIsTheQuotaInPercentOfItsPeriod() {
    SchedulerParameters group =
        SchedulerParameters.defaults(Scheduler.FAIR)
            .with(Fair.QUOTA, Duration.ofMillis(10))
            .with(Fair.PERIOD, Duration.ofMillis(20));
    KnobSpace caps = ofOne(group, "cap", "none", "50..100");
    assertThat(caps.pointFound()).containsExactly(50.0);
    assertThat(caps.knobs().get(0).steps())
        .containsExactly(50.0, 60.0, 70.0, 80.0, 90.0, 100.0, 400.0);
    assertThat(caps.name(List.of(70.0))).isEqualTo("web 70%");
    assertThat(caps.profile("any", List.of(70.0)).byDomain().get("web"))
        .isEqualTo(group.with(Fair.QUOTA, Duration.ofMillis(14)));
    assertThat(caps.name(List.of(400.0))).isEqualTo("web none");
    Map<String, List<String>> both = new LinkedHashMap<>();
    both.put("cap", List.of("50..100"));
    both.put("period", List.of("10ms..40ms"));
    KnobSpace periods =
        new KnobSpace(Map.of("web", both), Map.of("web", group), Map.of("web", 4), 4);
    assertThat(periods.name(List.of(40.0, 50.0))).isEqualTo("web period 40 ms cap 50%");
    assertThat(periods.settings(List.of(40.0, 50.0)).get("web").get(Fair.QUOTA))
        .isEqualTo(Duration.ofMillis(20));
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
