package io.slicewise.sweep.window;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.TestClock;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects whoever runs a plan that ends by itself: the reason says so, and what to change. */
class FollowedTest {
  /** Time passes whenever it is read. */
  private static final class Hurried extends TestClock {
    private Instant now = Instant.EPOCH;

    @Override
    public Instant instant() {
      now = now.plusMillis(100);
      return now;
    }
  }

  private record Ended(Optional<String> lastWords) implements DeadLoad {
    @Override
    public Optional<String> failure() {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', set the loop count to Infinite",
    "JMeterThread: Test failed!, jmeter.log ends with: JMeterThread: Test failed!"
  })
  void saysThatThePlanEndedByItself(String lastWords, String advice) {
    Clock clock = new Hurried();
    Sitting sitting =
        new Sitting(null, null, null, new SweepListener() {}, new StopRequest(clock), null, clock);
    Followed followed =
        new Followed(
            Optional.of(new Ended(Optional.of(lastWords).filter(words -> !words.isEmpty()))),
            sitting);
    assertThatThrownBy(
            () -> followed.until(Instant.EPOCH.plusSeconds(30), null, SweepListener.Step.WARM_UP))
        .hasMessageStartingWith("the plan ended by itself: its users had all finished 0.")
        .hasMessageContaining("after the step 'warm up' began")
        .hasMessageContaining(advice);
  }
}
