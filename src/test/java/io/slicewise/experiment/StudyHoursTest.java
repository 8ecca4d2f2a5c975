package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Protects that pairs run only in their hours, and that a pair ends within them. */
class StudyHoursTest {
  private static final Duration PAIR = Duration.ofMinutes(2);

  private static StudyHours hours(List<String> only, List<String> except) {
    return new StudyHours(spans(only), spans(except));
  }

  private static List<StudyHours.Span> spans(List<String> texts) {
    return texts.stream().map(StudyHours.Span::parse).toList();
  }

  private static ZonedDateTime at(int day, int hour, int minute) {
    return ZonedDateTime.of(2026, 11, day, hour, minute, 0, 0, ZoneOffset.UTC);
  }

  @Test
  void aNightPassesMidnight() {
    StudyHours night = hours(List.of("22:00-06:00"), List.of());
    assertThat(night.next(at(24, 23, 0), PAIR)).hasValue(at(24, 23, 0));
    assertThat(night.next(at(24, 3, 0), PAIR)).hasValue(at(24, 3, 0));
    assertThat(night.next(at(24, 12, 0), PAIR)).hasValue(at(24, 22, 0));
    assertThat(night.next(at(24, 6, 0), PAIR)).hasValue(at(24, 22, 0));
  }

  @Test
  void aPairThatWouldEndTooLateWaits() {
    StudyHours night = hours(List.of("22:00-06:00"), List.of("02:00-03:30"));
    assertThat(night.next(at(24, 1, 57), PAIR)).hasValue(at(24, 1, 57));
    assertThat(night.next(at(24, 1, 59), PAIR)).hasValue(at(24, 3, 30));
    assertThat(night.next(at(24, 5, 59), PAIR)).hasValue(at(24, 22, 0));
  }

  @Test
  void nothingOfAPairIsOutsideItsHours() {
    // Both ends of a pair of 2 minutes are allowed, and what is between them is not.
    StudyHours backup = hours(List.of(), List.of("02:00-02:01"));
    assertThat(backup.next(at(24, 1, 59), PAIR)).hasValue(at(24, 2, 1));
    StudyHours two = hours(List.of("01:00-02:00", "02:01-05:00"), List.of());
    assertThat(two.next(at(24, 1, 59), PAIR)).hasValue(at(24, 2, 1));
    StudyHours adjacent = hours(List.of("01:00-02:00", "02:00-05:00"), List.of());
    assertThat(adjacent.next(at(24, 1, 59), PAIR)).hasValue(at(24, 1, 59));
  }

  @Test
  void aPairMayEndWhenItsHoursDo() {
    StudyHours night = hours(List.of("22:00-22:02"), List.of());
    assertThat(night.next(at(24, 12, 0), PAIR)).hasValue(at(24, 22, 0));
    assertThat(night.fit(PAIR)).isTrue();
    assertThat(night.fit(PAIR.plusMillis(1))).isFalse();
    assertThat(hours(List.of("00:00-12:00", "12:00-00:00"), List.of()).fit(Duration.ofHours(30)))
        .isTrue();
  }

  @Test
  void aNightWhoseHourTheClocksSkipIsNotTheLast() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    ZonedDateTime before = ZonedDateTime.of(2027, 3, 27, 4, 0, 0, 0, berlin);
    // On 28 March 2027, 2:00 is followed by 3:00.
    assertThat(hours(List.of("02:00-03:00"), List.of()).next(before, PAIR))
        .hasValue(ZonedDateTime.of(2027, 3, 29, 2, 0, 0, 0, berlin));
  }

  /** On 25 October 2026, 3:00 is followed by 2:00; on 28 March 2027, 2:00 by 3:00. */
  @Test
  void anHourThatTheClocksRepeatOrSkipIsKeptFree() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    ZonedDateTime again =
        ZonedDateTime.of(2026, 10, 25, 2, 29, 0, 0, berlin).withLaterOffsetAtOverlap();
    assertThat(hours(List.of(), List.of("02:30-04:00")).next(again, PAIR))
        .hasValue(again.withHour(4).withMinute(0));
    assertThat(hours(List.of(), List.of("01:00-02:30")).next(again, PAIR))
        .hasValue(again.plusMinutes(1));
    ZonedDateTime first = again.withEarlierOffsetAtOverlap().withMinute(59);
    assertThat(hours(List.of(), List.of("01:00-02:30")).next(first, PAIR))
        .hasValue(again.plusMinutes(1));
    ZonedDateTime skipped = ZonedDateTime.of(2027, 3, 28, 1, 59, 0, 0, berlin);
    assertThat(hours(List.of(), List.of("02:30-04:00")).next(skipped, PAIR))
        .hasValue(skipped.withHour(4).withMinute(0));
  }

  @Test
  void withoutHoursThereIsNoWaiting() {
    assertThat(StudyHours.ALWAYS.next(at(24, 1, 0), PAIR)).hasValue(at(24, 1, 0));
    assertThat(hours(List.of(), List.of("23:00-01:00")).next(at(24, 23, 30), PAIR))
        .hasValue(at(25, 1, 0));
  }

  @Test
  void noTimeIsLeft() {
    assertThat(hours(List.of("01:00-02:00"), List.of("00:30-02:30")).next(at(24, 1, 0), PAIR))
        .isEqualTo(Optional.empty());
  }

  @Test
  void refusesWhatIsNoPartOfTheDay() {
    Stream.of("22-6", "22:00", "25:00-26:00", "22:00-22:00", "")
        .forEach(
            text ->
                assertThatThrownBy(() -> StudyHours.Span.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + text + "'"));
  }
}
