package io.slicewise.stats.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.stats.capacity.EdgeSearch.Verdict;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The search finds each edge, with three measurements if the prediction is right. */
class EdgeSearchTest {
  private static final NavigableSet<Integer> TWELVE =
      new TreeSet<>(IntStream.rangeClosed(1, 12).boxed().toList());

  private static EdgeSearch run(int predicted, IntFunction<Verdict> host) {
    Map<Integer, Verdict> verdicts = new TreeMap<>();
    EdgeSearch search = new EdgeSearch(TWELVE, verdicts);
    for (OptionalInt next = search.next(predicted);
        next.isPresent();
        next = search.next(predicted)) {
      assertThat(verdicts).as("measured twice").doesNotContainKey(next.getAsInt());
      verdicts.put(next.getAsInt(), host.apply(next.getAsInt()));
      search = new EdgeSearch(TWELVE, verdicts);
    }
    return search;
  }

  @Test
  void needsThreeMeasurementsWhereThePredictionIsRight() {
    for (int edge = 2; edge < 12; edge++) {
      int truth = edge;
      EdgeSearch search = run(edge, guests -> guests <= truth ? Verdict.FITS : Verdict.BREAKS);
      assertThat(search.verdicts()).hasSize(3);
      assertThat(search.fits()).hasValue(edge);
      assertThat(search.breaks()).hasValue(edge + 1);
      assertThat(search.found()).isTrue();
    }
  }

  @Test
  void findsEveryEdgeWhateverIsPredicted() {
    for (int edge = 1; edge <= 12; edge++) {
      for (int predicted = 0; predicted <= 20; predicted++) {
        int truth = edge;
        EdgeSearch search =
            run(predicted, guests -> guests <= truth ? Verdict.FITS : Verdict.BREAKS);
        assertThat(search.fits()).as("edge %d, predicted %d", edge, predicted).hasValue(edge);
        assertThat(search.found()).isTrue();
        assertThat(search.verdicts().size()).isLessThanOrEqualTo(8);
      }
    }
  }

  @Test
  void looksOnlyBesideAnUndecidedNumber() {
    EdgeSearch search =
        run(
            6,
            guests -> guests < 6 ? Verdict.FITS : guests == 6 ? Verdict.UNDECIDED : Verdict.BREAKS);
    assertThat(search.verdicts()).containsOnlyKeys(1, 5, 6, 7);
    assertThat(search.fits()).hasValue(5);
    assertThat(search.breaks()).hasValue(7);
    assertThat(search.found()).isFalse();
  }

  @Test
  void neverFitsAboveWhatBreaks() {
    Map<Integer, Verdict> odd = Map.of(1, Verdict.FITS, 4, Verdict.BREAKS, 6, Verdict.FITS);
    assertThat(new EdgeSearch(TWELVE, odd).fits()).hasValue(1);
  }
}
