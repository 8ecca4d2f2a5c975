package io.slicewise.base.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;

/** Durations and shares go into text and come back exactly; a number without a unit is refused. */
class TextProperties {
  @Property
  void durationsComeBackExactly(@ForAll @LongRange(min = 0) long nanos) {
    Duration duration = Duration.ofNanos(nanos);
    assertThat(DurationText.parse(DurationText.of(duration))).isEqualTo(duration);
    assertThat(DurationText.of(duration)).matches(DurationText.PATTERN);
  }

  @Property
  void sharesComeBackExactly(@ForAll @DoubleRange(min = 0, max = 1) double share) {
    assertThat(PercentText.parse(PercentText.of(share))).isEqualTo(share);
    assertThat(PercentText.of(share)).matches(PercentText.PATTERN);
  }

  @Example
  void choosesTheLargestWholeUnit() {
    assertThat(DurationText.of(Duration.ofMinutes(90))).isEqualTo("90m");
    assertThat(DurationText.of(Duration.ofHours(2))).isEqualTo("2h");
    assertThat(DurationText.of(Duration.ofNanos(2_500_000))).isEqualTo("2500us");
    assertThat(DurationText.of(Duration.ofNanos(1_500))).isEqualTo("1.5us");
    assertThat(DurationText.parse("2.5ms")).isEqualTo(Duration.ofNanos(2_500_000));
  }

  @Example
  void refusesWhatHasNoUnit() {
    assertThatThrownBy(() -> DurationText.parse("20")).hasMessageContaining("needs a unit");
    assertThatThrownBy(() -> DurationText.parse("-1s")).hasMessageContaining("needs a unit");
    assertThatThrownBy(() -> DurationText.parse("0.0001us")).hasMessageContaining("finer than");
    assertThatThrownBy(() -> DurationText.parse("9999999h")).hasMessageContaining("292 years");
    assertThatThrownBy(() -> PercentText.parse("0.5")).hasMessageContaining("with the sign");
    assertThatThrownBy(() -> PercentText.parse("100.1%")).hasMessageContaining("0% to 100%");
  }
}
