package io.slicewise.evidence.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.answer.Doubts.PairDoubts;
import io.slicewise.evidence.answer.Doubts.PairDoubts.Window;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.PairedStudy.Candidate;
import io.slicewise.run.result.PairedStudy.Harm;
import io.slicewise.run.result.PairedStudy.Pair;
import io.slicewise.run.result.PairedStudy.State;
import io.slicewise.stats.CoinBets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An answer shows what the figures of pairs leave out, and whom that flatters. */
class PairDoubtsTest {
  private static Candidate candidate(double factor, int cut, int incumbentCut) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 1; i <= 12; i++) {
      pairs.add(new Pair(i, 100, factor * (100 + i)));
    }
    return new Candidate(
        "heavy",
        pairs,
        CoinBets.of(0.05, pairs.stream().mapToDouble(Pair::change).toArray()),
        State.OPEN,
        new Harm("", cut, incumbentCut, 0, 0));
  }

  private static List<String> about(Candidate candidate, Window... windows) {
    PairedStudy study = new PairedStudy("p95", true, List.of(candidate));
    return new PairDoubts(study, List.of(windows)).about(candidate);
  }

  @Test
  void warnsOfWindowsThatWereCutWhereTheCandidateLooksBetter() {
    assertThat(about(candidate(0.8, 3, 1)))
        .containsExactly(
            "the guard cut 3 windows of heavy short, and 1 of the settings found; a window ends"
                + " where it is cut, so the waits that would have followed are in no figure, and"
                + " heavy may look better than it is");
    assertThat(about(candidate(0.8, 1, 1)))
        .containsExactly("the guard cut 1 window of heavy short, and 1 of the settings found");
    assertThat(about(candidate(1.3, 3, 0)))
        .containsExactly("the guard cut 3 windows of heavy short, and 0 of the settings found");
    assertThat(about(candidate(0.8, 0, 0))).isEmpty();
  }

  @Test
  void countsPairsThatDoNotCountAndWhy() {
    assertThat(
            about(
                candidate(0.8, 0, 0),
                new Window(1, "as-found", true, false),
                new Window(1, "heavy", true, false),
                new Window(2, "as-found", false, true),
                new Window(2, "heavy", true, false),
                new Window(3, "as-found", true, false),
                new Window(3, "heavy", false, false),
                new Window(4, "heavy", false, true)))
        .containsExactly(
            "2 of 3 pairs of heavy do not count, 1 of them for too few requests; lengthen 'window' of"
                + " design to count more of them");
    assertThat(
            about(
                candidate(0.8, 0, 0),
                new Window(1, "as-found", true, false),
                new Window(1, "heavy", false, false)))
        .containsExactly("1 of 1 pair of heavy do not count");
  }
}
