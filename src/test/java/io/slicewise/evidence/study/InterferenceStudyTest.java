package io.slicewise.evidence.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.stats.StudentInterval;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects the interference study's equations: from the counters that a 2014 thesis printed they
 * give its shares, and those worked out of them by hand.
 */
class InterferenceStudyTest {
  private static final Cells ALL = PublishedStudies.cells("jensen-2014");

  private static StudyCell cell(String server, String experiment, String tier) {
    return ALL.find(Map.of("server", server, "experiment", experiment), tier).orElseThrow();
  }

  private static InterferenceStudy of(String experiment, String alone) {
    return new InterferenceStudy(
        cell("personal", experiment, "dom1"),
        cell("personal", experiment, "dom0"),
        cell("personal", alone, "dom1"),
        cell("personal", alone, "dom0"));
  }

  @ParameterizedTest
  @CsvSource({
    "small DB in dom2-dom4, 28.6, 26.6, 26.6, 19.7, 20.2, 2.36, -4",
    "640MB DB in dom2-dom4, 65, 58.7, 58.7, 39.6, 38.8, 2.39, -28"
  })
  void sharesFromCounters(
      String experiment,
      double reads,
      double waits,
      double external,
      double loss,
      double drop,
      double underWay,
      double overhead) {
    InterferenceStudy found = of(experiment, "dom1 alone");
    assertThat(found.reads()).isCloseTo(reads, within(0.16));
    assertThat(found.waits()).isCloseTo(waits, within(0.16));
    assertThat(found.external()).isCloseTo(external, within(0.16));
    assertThat(found.loss()).isCloseTo(loss, within(0.051));
    assertThat(found.drop("tps")).isCloseTo(drop, within(0.051));
    assertThat(InterferenceStudy.underWay(found.guest())).isCloseTo(underWay, within(0.0051));
    assertThat(InterferenceStudy.overhead(found.guest(), found.control()))
        .isCloseTo(overhead, within(0.51));
  }

  @Test
  void aloneTheGuestHasItsOverheadAndNothingElse() {
    StudyCell guest = cell("personal", "dom1 alone", "dom1");
    StudyCell control = cell("personal", "dom1 alone", "dom0");
    assertThat(InterferenceStudy.overhead(guest, control)).isCloseTo(4.7, within(0.06));
    assertThat(InterferenceStudy.underWay(guest)).isCloseTo(2.41, within(0.0081));
    InterferenceStudy alone = new InterferenceStudy(guest, control, guest, control);
    assertThat(alone.external()).isZero();
    assertThat(alone.sectors()).isCloseTo(0.2, within(0.051));
  }

  @ParameterizedTest
  @CsvSource({
    "Baseline, -9.1, 0.0, 0",
    "Increase DB size, -4.6, 26.9, 0",
    "Increase DB Connections, -4.7, 63.0, 0",
    "Decrease DB Connections, 48.4, -21.3, 0",
    "With 3 ext domains, 65.0, 58.7, 58.7"
  })
  void noAlarmWithoutNeighbours(String experiment, double reads, double waits, double external) {
    InterferenceStudy found = of(experiment, "Baseline");
    assertThat(found.reads()).isCloseTo(reads, within(0.06));
    assertThat(found.waits()).isCloseTo(waits, within(0.06));
    assertThat(found.external()).isCloseTo(external, within(0.06));
  }

  @ParameterizedTest
  @CsvSource({
    "Dom1 (Only), 55, 0, 20.5, 3.93",
    "Dom1 + 1 guest, 28, 53.1, 10.5, 3.59",
    "Dom1 + 2 guests, 43, 56.9, 16.1, 3.63",
    "Dom1 + 3 guests, 61, 65.5, 22.8, 3.64"
  })
  void thirtyRuns(
      String experiment, double deviation, double drop, double half, double transactionsARead) {
    StudyCell alone = cell("business", "Dom1 (Only)", "dom1");
    StudyCell guest = cell("business", experiment, "dom1");
    StudyCell control = cell("business", experiment, "dom0");
    assertThat(new InterferenceStudy(guest, control, alone, control).drop("tps"))
        .isCloseTo(drop, within(0.051));
    assertThat(StudentInterval.halfWidth(0.95, deviation, 30)).isCloseTo(half, within(0.051));
    assertThat(guest.value("tps") / guest.value("reads_per_s"))
        .isCloseTo(transactionsARead, within(0.0051));
  }

  /** The same cells, filled as a run fills them: counts and times instead of rates and waits. */
  @Test
  void waitsComeFromCountersAlike() {
    Map<String, String> of = Map.of("users", "4");
    StudyCell guest =
        new StudyCell(
            of, "guest", Map.of("r_ms", 72.428, "r_total", 12_166.0, "reads_per_s", 406.0));
    assertThat(1e3 * InterferenceStudy.wait(guest)).isCloseTo(5.953, within(0.0005));
    assertThat(InterferenceStudy.wait(new StudyCell(of, "guest", Map.of()))).isNaN();
  }
}
