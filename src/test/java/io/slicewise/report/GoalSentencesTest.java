package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.load.Axis;
import io.slicewise.report.AdviceWriter.GoalSentences;
import org.junit.jupiter.api.Test;

/** Protects the rule that a capacity is never printed as more users than were shown to fit. */
class GoalSentencesTest {
  @Test
  void printsNoUserWhoDoesNotFit() {
    assertThat(GoalSentences.most(5.87, Axis.USERS)).isEqualTo("5");
    assertThat(GoalSentences.most(5.999_999_999, Axis.USERS)).isEqualTo("6");
    assertThat(GoalSentences.most(5.87, Axis.RATE)).isEqualTo("5.8");
  }
}
