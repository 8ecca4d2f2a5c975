package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.run.StopRequest.Wish;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Protects: the first Ctrl-C lets the trial end, the second ends any waiting at once. */
@Timeout(30)
class StopRequestTest {
  private final StopRequest stop = new StopRequest(Clock.systemUTC());

  @Test
  void growsFromGoingOnToAfterThisTrialToNow() {
    assertThat(stop.wish()).isEqualTo(Wish.GO_ON);
    assertThat(stop.ask()).isEqualTo(Wish.AFTER_THIS_TRIAL);
    assertThat(stop.ask()).isEqualTo(Wish.NOW);
    assertThat(stop.ask()).isEqualTo(Wish.NOW);
  }

  @Test
  void waitsThroughTheFirstWish() {
    stop.ask();
    Instant until = Instant.now().plus(Duration.ofMillis(30));
    stop.waitUntil(until);
    assertThat(Instant.now()).isAfterOrEqualTo(until);
  }

  @Test
  void theSecondWishEndsAWaitUnderWay() throws InterruptedException {
    CountDownLatch waiting = new CountDownLatch(1);
    CompletableFuture<Void> wait =
        CompletableFuture.runAsync(
            () -> {
              waiting.countDown();
              stop.waitUntil(Instant.now().plus(Duration.ofHours(1)));
            });
    waiting.await();
    stop.askNow();
    assertThatThrownBy(wait::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(StopRequest.StoppedNow.class);
  }

  @Test
  void aWaitThatIsAlreadyOverReturnsAtOnce() {
    stop.waitUntil(Instant.EPOCH);
    assertThat(stop.wish()).isEqualTo(Wish.GO_ON);
  }
}
