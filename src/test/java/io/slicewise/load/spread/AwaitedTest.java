package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Work for many generators is done for all, and for no more at a time than is allowed. */
class AwaitedTest {
  private static final List<Integer> TWELVE = IntStream.range(0, 12).boxed().toList();

  /** Each waits until as many as allowed are at work, which would take forever with fewer. */
  @Test
  void fetchesFourAtATime() {
    CyclicBarrier four = new CyclicBarrier(4);
    AtomicInteger working = new AtomicInteger();
    List<Integer> seen =
        Awaited.all(
            Awaited.FETCHES,
            TWELVE,
            one -> {
              int now = working.incrementAndGet();
              try {
                four.await(1, TimeUnit.MINUTES);
              } catch (Exception broken) {
                throw new IllegalStateException(broken);
              }
              working.decrementAndGet();
              return now;
            });
    assertThat(seen).hasSize(12).allMatch(now -> now <= 4);
  }

  @Test
  void throwsAFaultWhenAllHaveEnded() {
    AtomicInteger ended = new AtomicInteger();
    assertThatThrownBy(
            () ->
                Awaited.all(
                    TWELVE,
                    one -> {
                      if (ended.incrementAndGet() == 3) {
                        throw new IllegalArgumentException("one of them");
                      }
                      return one;
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("one of them");
    assertThat(ended).hasValue(12);
  }
}
