package io.slicewise.sweep.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.run.result.WashOutCheck.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Protects the rule that a wash-out which was too short is doubled, and only such a one. */
class WashOutTest {
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private static Duration next(int last, Outcome outcome) {
    return WashOut.next(Duration.ofSeconds(last), WINDOW, outcome);
  }

  @Test
  void tooShortOneIsDoubledUpToTheWindow() {
    assertThat(next(2, Outcome.FOUND)).isEqualTo(Duration.ofSeconds(4));
    assertThat(next(8, Outcome.FOUND)).isEqualTo(WINDOW);
    assertThat(next(10, Outcome.FOUND)).isEqualTo(WINDOW);
    assertThat(next(15, Outcome.FOUND)).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void anyOtherStays() {
    for (Outcome outcome : new Outcome[] {Outcome.COVERED, Outcome.UNCLEAR, Outcome.UNTESTED}) {
      assertThat(next(2, outcome)).isEqualTo(Duration.ofSeconds(2));
    }
  }
}
