package io.slicewise.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.profile.Parameter.Measure;
import io.slicewise.profile.Parameter.Scale;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SchedulersTest {
  private static final Duration MS100 = Duration.ofMillis(100);

  static List<Scheduler> settable() {
    return List.copyOf(Schedulers.KNOWN.settable().values());
  }

  @ParameterizedTest
  @MethodSource("settable")
  void hasDefaultsThatItAcceptsItself(Scheduler scheduler) {
    assertThat(SettingFaults.first(SchedulerParameters.defaults(scheduler), 1)).isEmpty();
    assertThat(scheduler.axes()).hasSize(2).noneMatch(Parameter::inert);
  }

  @Test
  void takesEveryWeightForARatioOnALogarithmicScale() {
    assertThat(settable())
        .flatExtracting(Scheduler::parameters)
        .allSatisfy(
            one -> {
              assertThat(one.live()).isTrue();
              assertThat(one.measure() == Measure.RATIO)
                  .isEqualTo(one.key().matches("(disk-)?weight|shares"));
              assertThat(one.scale() == Scale.LOGARITHMIC)
                  .isEqualTo(
                      one.key().matches("(disk-)?weight|shares|(.*-)?period|(.*-)?quota|burst"));
            });
  }

  @Test
  void findsTheCeilingInCapOrTimeUnlessMoreIsAllowed() {
    assertThat(Credit.of(256, 150).ceiling(2)).hasValue(1.5);
    assertThat(Credit2.of(256, 0).ceiling(2)).isEmpty();
    assertThat(sedf(20, false, 0).ceiling(3)).hasValue(60.0 / 100);
    assertThat(sedf(20, true, 0).ceiling(3)).isEmpty();
    assertThat(sedf(20, false, 5).ceiling(3)).isEmpty();
    SchedulerParameters half = Rtds.of(MS100, Duration.ofMillis(50), false);
    SchedulerParameters tenth = Rtds.of(MS100, Duration.ofMillis(10), false);
    assertThat(SchedulerParameters.byVcpu(List.of(half, tenth)).ceiling(2)).hasValue(0.6);
    assertThat(
            SchedulerParameters.byVcpu(List.of(half, tenth.with(Rtds.EXTRATIME, true))).ceiling(2))
        .isEmpty();
  }

  @Test
  void ignoresTimesBesideAWeightAndOnExtraTimeAlone() {
    assertThat(SettingFaults.first(sedf(500, false, 0), 1).orElseThrow().rule())
        .isEqualTo("is out of range 5us..100000us");
    assertThat(SettingFaults.first(sedf(500, false, 7), 1)).isEmpty();
    assertThat(SettingFaults.first(sedf(0, true, 0), 1)).isEmpty();
    assertThat(SettingFaults.first(sedf(0, false, 0), 1)).isPresent();
    assertThat(SettingFaults.first(Credit.of(256, 201), 2).orElseThrow())
        .isEqualTo(
            new SettingFaults.Fault(
                "cap 201", "is out of range 0..200, 100 for each of its 2 vCPUs"));
    assertThat(Credit.of(256, 201).leastVcpus()).isEqualTo(3);
  }

  private static SchedulerParameters sedf(int sliceMillis, boolean extratime, int weight) {
    return Sedf.of(MS100, Duration.ofMillis(sliceMillis), Duration.ZERO, extratime, weight);
  }
}
