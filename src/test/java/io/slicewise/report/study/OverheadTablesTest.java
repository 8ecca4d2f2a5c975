package io.slicewise.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.study.Cells;
import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.StudyData;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Protects the tables of an overhead study. */
class OverheadTablesTest {
  @Test
  void secondsHaveThreeDigitsOfTheShortestCase() {
    assertThat(text(Map.of("q01", 0.1372, "q06", 0.01224)))
        .anyMatch(line -> line.matches("all +q01 +0\\.1372 +0\\.2744 +0\\.1372 .*"))
        .anyMatch(line -> line.matches("all +q06 +0\\.0122 +0\\.0245 +0\\.0122 .*"));
    assertThat(text(Map.of("q01", 7.5712, "q06", 1.0261)))
        .anyMatch(line -> line.matches("all +q01 +7\\.57 +15\\.14 +7\\.57 .*"));
  }

  @Test
  void headlineIsASentenceOfEachArm() {
    assertThat(text(Map.of("q01", 2.0, "q06", 1.0)))
        .startsWith("OVERHEAD  all: +100.0 %, the geometric mean of 2 cases");
  }

  /** The embedded lab's kernels count no faults. */
  @Test
  void systemsWithoutFaultsHaveNoTablesOfThem() {
    List<StudyCell> cells =
        Stream.of("base", "xen")
            .map(
                tier ->
                    new StudyCell(
                        Map.of("query", "q01"),
                        tier,
                        Map.of("runtime", 1.0, "sys", 0.5, "page_faults", 0.0)))
            .toList();
    OverheadStudy study = OverheadStudy.of(StudyData.published(new Cells(cells)), Optional.empty());
    assertThat(String.join("\n", OverheadTables.of(study, List.of()).text(100)))
        .contains("Slowdown by case")
        .doesNotContain("Page faults", "Cost of a page fault");
  }

  private static List<String> text(Map<String, Double> seconds) {
    List<StudyCell> cells =
        seconds.entrySet().stream()
            .flatMap(
                query ->
                    Stream.of(1, 2)
                        .map(
                            times ->
                                new StudyCell(
                                    Map.of("query", query.getKey()),
                                    times == 1 ? "base" : "xen",
                                    Map.of("runtime", times * query.getValue()))))
            .toList();
    OverheadStudy study = OverheadStudy.of(StudyData.published(new Cells(cells)), Optional.empty());
    return OverheadTables.of(study, List.of()).text(100);
  }
}
