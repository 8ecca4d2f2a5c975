package io.slicewise.evidence.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.run.result.PairedStudy;
import io.slicewise.stats.CoinBets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Protects that an answer names the levels of load and the hours for which it holds. */
class PairLevelsTest {
  /** Pairs every five minutes, whose load rises from one to the next. */
  private static List<String> sentences(int count, IntToDoubleFunction change) {
    List<PairedStudy.Pair> pairs = new ArrayList<>();
    Map<Integer, PairLevels.At> places = new HashMap<>();
    for (int pair = 1; pair <= count; pair++) {
      pairs.add(new PairedStudy.Pair(pair, 100, 100 * Math.exp(change.applyAsDouble(pair))));
      places.put(pair, new PairLevels.At(10 + pair, Instant.EPOCH.plusSeconds(300L * pair)));
    }
    PairedStudy.Candidate candidate =
        new PairedStudy.Candidate(
            "heavy",
            pairs,
            CoinBets.of(0.05, pairs.stream().mapToDouble(PairedStudy.Pair::change).toArray()),
            PairedStudy.State.OPEN,
            new PairedStudy.Harm("", 0, 0, 0, 0));
    return new PairLevels(candidate, places, ZoneOffset.UTC).sentences();
  }

  @Test
  void aChangeOfHighLoadAloneIsShownThere() {
    List<String> sentences = sentences(36, pair -> pair > 24 ? -0.2 : 0.001);
    assertThat(sentences.get(0))
        .startsWith("heavy by load: below 23.0 requests/s +0.1 % [")
        .contains("; up to 35.0/s +0.1 % [", "; above -18.1 % [-19.4, -16.8]")
        .endsWith("(12 pairs)");
  }

  @Test
  void hoursWithEnoughPairsAreShown() {
    assertThat(sentences(36, pair -> -0.2))
        .last()
        .asString()
        .startsWith("heavy by hour: 00 h -18.1 % [")
        .contains("; 01 h ", "; 02 h ")
        .doesNotContain("03 h");
  }

  @Test
  void fewPairsShowNoLevels() {
    assertThat(sentences(23, pair -> -0.2)).noneMatch(sentence -> sentence.contains("by load"));
    assertThat(sentences(7, pair -> -0.2)).isEmpty();
  }
}
