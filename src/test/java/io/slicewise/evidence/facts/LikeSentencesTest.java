package io.slicewise.evidence.facts;

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
            alike(
                Map.of(
                    "7", List.of("late by 50.2 ms (p99, limit 20.0 ms)"),
                    "8", List.of("late by 9.3 ms (p99, limit 20.0 ms)"),
                    "9", List.of("late by 26.0 ms (p99, limit 20.0 ms)"))))
        .containsExactly(
            new LikeSentences(
                "late by 9.3 to 50.2 ms (p99, limit 20.0 ms)",
                List.of("7", "8", "9"),
                List.of(
                    "7: late by 50.2 ms (p99, limit 20.0 ms)",
                    "8: late by 9.3 ms (p99, limit 20.0 ms)",
                    "9: late by 26.0 ms (p99, limit 20.0 ms)")));
  }

  @Test
  void numbersOfEitherSignAreAlike() {
    assertThat(
            alike(
                Map.of(
                    "1", List.of("Little's law is off by -12.5 % (limit 10 %)"),
                    "2", List.of("Little's law is off by +11.0 % (limit 10 %)"))))
        .singleElement()
        .extracting(LikeSentences::sentence)
        .isEqualTo("Little's law is off by -12.5 to +11.0 % (limit 10 %)");
  }

  @Test
  void keepsSentencesApartThatDifferInWordsOrNames() {
    assertThat(
            alike(
                Map.of(
                    "1", List.of("web-1 ran 3 %", "errors 3.1 % > 0.5 %"),
                    "2", List.of("web-2 ran 4 %"))))
        .extracting(LikeSentences::sentence)
        .containsExactly("web-1 ran 3 %", "errors 3.1 % > 0.5 %", "web-2 ran 4 %");
  }

  @Test
  void countsATrialOnceThatSaysItTwice() {
    assertThat(alike(Map.of("1", List.of("waited 3 s", "waited 5 s"))))
        .containsExactly(
            new LikeSentences(
                "waited 3 to 5 s", List.of("1"), List.of("1: waited 3 s", "1: waited 5 s")));
  }

  private static List<LikeSentences> alike(Map<String, List<String>> bySubject) {
    return LikeSentences.of(new TreeMap<>(bySubject));
  }
}
