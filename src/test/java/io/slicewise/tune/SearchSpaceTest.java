package io.slicewise.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.tune.SearchSpace.SearchKnob;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Holds that candidates cover the space, are valid, and that the surface finds its optimum. */
class SearchSpaceTest {
  private static final List<Double> WEIGHTS =
      List.of(
          64.0, 91.0, 128.0, 181.0, 256.0, 362.0, 512.0, 724.0, 1024.0, 1448.0, 2048.0, 2896.0,
          4096.0);

  private static final List<SearchKnob> KNOBS =
      List.of(new SearchKnob("web weight", WEIGHTS), new SearchKnob("db weight", WEIGHTS));

  @Test
  void coversEveryQuarterOfTheSpace() {
    SearchSpace.Candidates found = new SearchSpace(KNOBS).candidates(16, any -> Optional.empty());
    assertThat(found.points()).hasSize(16).doesNotHaveDuplicates();
    HashSet<String> quarters = new HashSet<>();
    found.points().forEach(p -> quarters.add((p.get(0) > 512) + " " + (p.get(1) > 512)));
    assertThat(quarters).hasSize(4);
  }

  @Test
  void leavesInvalidPointsOutWithTheReason() {
    SearchSpace.Candidates found =
        new SearchSpace(KNOBS)
            .candidates(
                20, p -> p.get(0) > p.get(1) ? Optional.of("web above db") : Optional.empty());
    assertThat(found.points()).hasSize(20).allMatch(p -> p.get(0) <= p.get(1));
    assertThat(found.leftOut()).isNotEmpty().containsOnly("web above db");
  }

  @Test
  void endsWhereTheSpaceHasNoMorePoints() {
    SearchSpace small =
        new SearchSpace(List.of(new SearchKnob("cap", List.of(100.0, 150.0, 200.0))));
    assertThat(small.candidates(50, any -> Optional.empty()).points()).hasSize(3);
  }

  @Test
  void aQuadraticSurfaceProposesItsOptimum() {
    List<List<Double>> measured = points(12);
    ResponseSurface surface = ResponseSurface.fit(measured, effects(measured, 0), 0.01, 30);
    List<List<Double>> proposed = surface.propose(points(150), measured, 4);
    assertThat(proposed).hasSize(4).doesNotContainAnyElementsOf(measured);
    assertThat(Math.log(proposed.get(0).get(0) / 512)).isCloseTo(0, within(0.7));
    assertThat(Math.log(proposed.get(0).get(1) / 1024)).isCloseTo(0, within(0.7));
    assertThat(surface.lackOfFit()).isGreaterThan(0.5);
  }

  @Test
  void showsWhenTheSurfaceIsNotQuadratic() {
    List<List<Double>> measured = points(20);
    assertThat(ResponseSurface.fit(measured, effects(measured, 0.3), 0.01, 30).lackOfFit())
        .isLessThan(0.01);
  }

  @Test
  void refusesTooFewPointsAndPointsInALine() {
    assertThatThrownBy(() -> ResponseSurface.fit(points(6), new double[6], 0.01, 30))
        .hasMessageContaining("6 points for 2 knobs, a surface needs 7");
    List<List<Double>> line =
        points(10).stream().map(p -> List.of(p.get(0), p.get(0))).distinct().toList();
    assertThatThrownBy(() -> ResponseSurface.fit(line, new double[line.size()], 0.01, 30))
        .hasMessageContaining("do not span");
  }

  private static List<List<Double>> points(int number) {
    return new SearchSpace(KNOBS).candidates(number, any -> Optional.empty()).points();
  }

  /** Highest at 512 and 1024; with a wave, not quadratic. */
  private static double[] effects(List<List<Double>> points, double wave) {
    return points.stream()
        .mapToDouble(
            p -> {
              double web = Math.log(p.get(0) / 512);
              double db = Math.log(p.get(1) / 1024);
              return -0.1 * web * web - 0.2 * db * db + wave * Math.sin(5 * web);
            })
        .toArray();
  }
}
