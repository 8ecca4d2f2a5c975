package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.stats.SlowdownAlarm.Alarm;
import io.slicewise.stats.SlowdownAlarm.Kind;
import io.slicewise.stats.SlowdownAlarm.Second;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Protects that users who wait longer than usual are noticed within seconds, and seldom others. */
class SlowdownAlarmTest {
  private static final int RATE = 40;
  private final Random random = new Random(20261124);

  /** A second of requests that take 100 ms in the median, with a tail, times a factor. */
  private Second second(double factor, int requests) {
    double logs = 0;
    for (int i = 0; i < requests; i++) {
      logs += Math.log(100 * factor) + 0.8 * random.nextGaussian();
    }
    return new Second(requests, 0, logs);
  }

  private SlowdownAlarm ready() {
    SlowdownAlarm alarm = new SlowdownAlarm(0.01);
    for (int i = 0; i < 300; i++) {
      alarm.learn(second(1, RATE));
    }
    alarm.begin();
    return alarm;
  }

  private static Second exactly(double millis, int requests, int errors) {
    return new Second(requests, errors, requests * Math.log(millis));
  }

  @Test
  void theFifthSecondOfADoublingGivesTheAlarmWhereSecondsAreAlike() {
    SlowdownAlarm alarm = new SlowdownAlarm(0.01);
    for (int i = 0; i < 30; i++) {
      alarm.learn(exactly(100, 10, 0));
    }
    alarm.begin();
    assertThat(alarm.isReady()).isTrue();
    for (int second = 1; second <= 4; second++) {
      assertThat(alarm.watch(exactly(200, 10, 0))).isEmpty();
      assertThat(alarm.nearness()).isEqualTo(second * 3 / 12.0);
    }
    assertThat(alarm.watch(exactly(200, 10, 0)))
        .get()
        .extracting(Alarm::kind)
        .isEqualTo(Kind.SLOWER);
  }

  @Test
  void aDoublingIsNoticedWithinEightSeconds() {
    int late = 0;
    for (int study = 0; study < 200; study++) {
      SlowdownAlarm alarm = ready();
      int seconds = 0;
      Optional<Alarm> given = Optional.empty();
      while (given.isEmpty()) {
        given = alarm.watch(second(2, RATE));
        seconds++;
      }
      late += seconds > 8 ? 1 : 0;
    }
    assertThat(late).isZero();
  }

  @Test
  void calmWindowsOfTenSecondsGiveNoAlarm() {
    SlowdownAlarm alarm = ready();
    int given = 0;
    for (int window = 0; window < 1_000; window++) {
      alarm.begin();
      for (int i = 0; i < 10; i++) {
        given += alarm.watch(second(1, RATE)).isPresent() ? 1 : 0;
      }
    }
    assertThat(given).isZero();
  }

  @Test
  void hardLimitsLeaveNoDoubt() {
    SlowdownAlarm stalled = ready();
    for (int i = 0; i < 4; i++) {
      assertThat(stalled.watch(exactly(100, 0, 0))).isEmpty();
    }
    assertThat(stalled.watch(exactly(100, 0, 0)).orElseThrow().kind()).isEqualTo(Kind.STALL);
    SlowdownAlarm failing = ready();
    Optional<Alarm> given = Optional.empty();
    for (int i = 0; i < 10; i++) {
      given = failing.watch(exactly(100, RATE, 5));
    }
    assertThat(given.orElseThrow())
        .isEqualTo(new Alarm(Kind.LIMIT, "too many requests failed for 10 s"));
  }

  @Test
  void fewerThanThirtySecondsAreNoReference() {
    SlowdownAlarm alarm = new SlowdownAlarm(0.01);
    for (int i = 0; i < 29; i++) {
      alarm.learn(exactly(100, 10, 0));
    }
    alarm.learn(exactly(100, 4, 0));
    alarm.begin();
    assertThat(alarm.isReady()).isFalse();
    assertThat(alarm.watch(exactly(9_000, 10, 10))).isEmpty();
  }
}
