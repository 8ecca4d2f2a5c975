package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Protects the rule that a capacity is never printed as more users than were shown to fit. */
class GoalSentencesTest {
  @Test
  void printsNoUserWhoDoesNotFit() {
    assertThat(GoalSentences.whole(5.87)).isEqualTo("5");
    assertThat(GoalSentences.whole(5.999_999_999)).isEqualTo("6");
  }
}
