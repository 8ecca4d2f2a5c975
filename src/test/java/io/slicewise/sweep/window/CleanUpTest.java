package io.slicewise.sweep.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.run.result.TrialFault;
import org.junit.jupiter.api.Test;

/** Protects: tidying up neither hides what went wrong nor throws away what was measured. */
class CleanUpTest {
  private final CleanUp cleanUp = new CleanUp();

  private static void fail() {
    throw new IllegalStateException("no way to tidy");
  }

  @Test
  void keepsAResultAndWarnsOfWhatFailedBehindIt() {
    assertThat(cleanUp.<String>runAndClean(() -> "measured", "ending the load", CleanUpTest::fail))
        .isEqualTo("measured");
    assertThat(cleanUp.warnings()).containsExactly("ending the load failed: no way to tidy");
  }

  @Test
  void throwsTheWorksOwnFaultAndCarriesTheOtherAlong() {
    TrialFault own = new TrialFault("no samples");
    assertThatThrownBy(
            () ->
                cleanUp.runAndClean(
                    () -> {
                      throw own;
                    },
                    "ending the load",
                    CleanUpTest::fail))
        .isSameAs(own)
        .hasSuppressedException(new IllegalStateException("no way to tidy"));
    assertThat(cleanUp.warnings()).isEmpty();
  }
}
