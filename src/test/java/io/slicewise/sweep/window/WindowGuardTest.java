package io.slicewise.sweep.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.TestClock;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.stats.SlowdownAlarm;
import io.slicewise.sweep.outcome.Outcomes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the users of a study: both sides are cut alike, and a candidate is taken back. */
class WindowGuardTest {
  private static final String FILE =
      """
      name: night
      host: {address: dom0.example}
      domains: {main: [web]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}}
      workload: {name: web-app, target: "http://web.example/"}
      users: 25
      goal: lowest mean
      """;

  @TempDir private Path directory;
  private final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private WindowGuard guard;
  private int restored;

  private Experiment read(String design) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(directory.resolve("night.yaml"), FILE + design + "\n"));
  }

  @BeforeEach
  void learn() throws IOException {
    guard = WindowGuard.of(read("design: {kind: pairs}"), clock);
    guard.learn();
    seconds(40, 100);
    guard.ended();
  }

  private void seconds(int count, double millis) {
    for (int i = 0; i < count; i++) {
      guard.second(new Outcomes.Second(Instant.EPOCH, 20, 0, 20 * Math.log(millis)));
    }
  }

  private void candidate() {
    guard.begin(Optional.of(() -> restored++));
  }

  @Test
  void aCandidateThatDoublesTheWaitIsTakenBackOnce() {
    candidate();
    seconds(4, 200);
    assertThat(guard.isGiven()).isFalse();
    seconds(3, 200);
    assertThat(guard.isGiven()).isTrue();
    guard.ended();
    assertThat(restored).isEqualTo(1);
    assertThat(guard.cut()).get().matches(cut -> cut.kind() == SlowdownAlarm.Kind.SLOWER);
    guard.begin(Optional.empty());
    guard.ended();
    assertThat(guard.cut()).isEmpty();
    assertThat(restored).isEqualTo(1);
  }

  @Test
  void aWindowWithTheSettingsFoundIsCutAlike() {
    guard.begin(Optional.empty());
    seconds(5, 200);
    assertThat(guard.isGiven()).isTrue();
    guard.ended();
    assertThat(guard.cut()).isPresent();
    assertThat(guard.cut().orElseThrow().restoreSeconds()).isZero();
    assertThat(restored).isZero();
  }

  @Test
  void whatIsUsualIsLearntOnlyFromTheSettingsFound() {
    for (int window = 0; window < 20; window++) {
      candidate();
      seconds(3, 200);
      guard.ended();
    }
    candidate();
    seconds(5, 200);
    assertThat(guard.isGiven()).isTrue();
    guard.ended();
    for (int window = 0; window < 200; window++) {
      guard.begin(Optional.empty());
      guard.measure();
      seconds(4, 200);
      guard.ended();
    }
    candidate();
    seconds(10, 200);
    assertThat(guard.isGiven()).isFalse();
  }

  @Test
  void secondsOutsideOfWindowsAreNotJudged() {
    seconds(60, 5_000);
    assertThat(guard.isGiven()).isFalse();
    candidate();
    seconds(5, 200);
    assertThat(guard.isGiven()).isTrue();
  }

  @Test
  void aSecondThatComesLateBelongsToTheWindowBefore() {
    candidate();
    for (int i = 0; i < 10; i++) {
      guard.second(new Outcomes.Second(Instant.EPOCH.minusSeconds(1), 20, 0, 20 * Math.log(200)));
    }
    assertThat(guard.isGiven()).isFalse();
  }

  @Test
  void aSlowdownInTheWashOutTakesTheCandidateBackBeforeItsWindow() {
    candidate();
    seconds(5, 200);
    guard.restoreIfGiven();
    assertThat(restored).isEqualTo(1);
    guard.measure();
    assertThat(guard.isGiven()).isTrue();
    guard.ended();
    assertThat(restored).isEqualTo(1);
    assertThat(guard.cut()).isPresent();
  }

  @Test
  void aSlowdownThatBeginsInTheWashOutIsNoticedInTheWindow() {
    candidate();
    seconds(3, 200);
    guard.measure();
    assertThat(guard.isGiven()).isFalse();
    seconds(2, 200);
    assertThat(guard.isGiven()).isTrue();
  }

  @Test
  void whatIsUsualIsLearntFromSecondsThatComeAfterTheirWindow() throws IOException {
    List<Instant> now = new ArrayList<>(List.of(Instant.EPOCH));
    guard = WindowGuard.of(read("design: {kind: pairs}"), showing(now));
    guard.begin(Optional.empty());
    guard.measure();
    now.set(0, Instant.EPOCH.plusSeconds(40));
    guard.ended();
    candidate();
    for (int i = 0; i < 40; i++) {
      guard.second(new Outcomes.Second(Instant.EPOCH.plusSeconds(i), 20, 0, 20 * Math.log(100)));
    }
    guard.ended();
    candidate();
    for (int i = 40; i < 45; i++) {
      guard.second(new Outcomes.Second(Instant.EPOCH.plusSeconds(i), 20, 0, 20 * Math.log(200)));
    }
    assertThat(guard.isGiven()).isTrue();
  }

  private static Clock showing(List<Instant> now) {
    return new TestClock() {
      @Override
      public Instant instant() {
        return now.get(0);
      }
    };
  }

  @Test
  void lateLinesMakeALateGuardAndItSaysSo() throws IOException {
    Experiment experiment = read("design: {kind: pairs, window: 10s}");
    assertThat(WindowGuard.lateBy(Duration.ofSeconds(1), experiment)).isEmpty();
    assertThat(WindowGuard.lateBy(Duration.ofMillis(5_100), experiment))
        .get()
        .asString()
        .contains("5.1 s after their requests", "after 10 s at the earliest, later than windows");
    assertThat(
            WindowGuard.lateBy(
                Duration.ofMillis(5_100), read("design: {kind: pairs, window: 30s}")))
        .get()
        .asString()
        .doesNotContain("later than windows");
    assertThat(WindowGuard.lateBy(Duration.ofSeconds(9), read("design: {kind: switchback}")))
        .isEmpty();
  }

  @Test
  void otherDesignsHaveNoGuard() throws IOException {
    WindowGuard none = WindowGuard.of(read("design: {kind: switchback}"), clock);
    assertThat(none).isSameAs(WindowGuard.NONE);
    none.begin(Optional.of(() -> restored++));
    none.second(new Outcomes.Second(Instant.EPOCH, 20, 20, 20 * Math.log(9_000)));
    none.ended();
    assertThat(restored).isZero();
  }
}
