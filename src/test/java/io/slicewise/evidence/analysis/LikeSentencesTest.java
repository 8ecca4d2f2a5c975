package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Protects: what happened many times is told once, and no number of it is lost from the range. */
class LikeSentencesTest {
  @Test
  void rangesOverTheNumbersThatDiffer() {
    assertThat(
            told(
                Map.of(
                    7, List.of("late by 50.2 ms (p99, limit 20.0 ms)"),
                    8, List.of("late by 9.3 ms (p99, limit 20.0 ms)"),
                    9, List.of("late by 26.0 ms (p99, limit 20.0 ms)"))))
        .containsExactly(
            new LikeSentences("late by 9.3 to 50.2 ms (p99, limit 20.0 ms)", List.of(7, 8, 9)));
  }

  @Test
  void keepsSentencesApartThatDifferInWordsOrNames() {
    assertThat(
            told(
                Map.of(
                    1, List.of("web-1 ran 3 %", "errors 3.1 % > 0.5 %"),
                    2, List.of("web-2 ran 4 %"))))
        .containsExactly(
            new LikeSentences("web-1 ran 3 %", List.of(1)),
            new LikeSentences("errors 3.1 % > 0.5 %", List.of(1)),
            new LikeSentences("web-2 ran 4 %", List.of(2)));
  }

  @Test
  void countsATrialOnceThatSaysItTwice() {
    assertThat(told(Map.of(1, List.of("waited 3 s", "waited 5 s"))))
        .containsExactly(new LikeSentences("waited 3 to 5 s", List.of(1)));
  }

  private static List<LikeSentences> told(Map<Integer, List<String>> byTrial) {
    return LikeSentences.of(new TreeMap<>(byTrial));
  }
}
