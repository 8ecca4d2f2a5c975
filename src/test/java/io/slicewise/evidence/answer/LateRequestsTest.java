package io.slicewise.evidence.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.answer.Doubts.LateRequests;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects that requests that end too late count against the setting under which they started. */
class LateRequestsTest {
  private static LateRequests.SeenWindow window(String profile, double before) {
    return new LateRequests.SeenWindow(Optional.empty(), profile, 990, before);
  }

  @Test
  void theyAreThoseOfTheWindowBefore() {
    assertThat(
            LateRequests.of(
                List.of(
                    window("heavy", 0),
                    window("as-found", 10),
                    window("heavy", 0),
                    window("as-found", 10))))
        .hasValue(
            "requests that ended too late to be counted in their window: 0.00 % of as-found,"
                + " 1.00 % of heavy");
  }

  @Test
  void settingsThatAreAlikeAreNotWorthASentence() {
    assertThat(LateRequests.of(List.of(window("heavy", 0), window("as-found", 0)))).isEmpty();
    assertThat(
            LateRequests.of(List.of(window("heavy", 3), window("as-found", 3), window("heavy", 3))))
        .isEmpty();
    assertThat(LateRequests.of(List.of(window("heavy", 0), window("as-found", Double.NaN))))
        .isEmpty();
  }
}
