package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.runs.Cause;
import io.slicewise.evidence.runs.Causes;
import io.slicewise.experiment.load.Load;
import io.slicewise.stats.Difference;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Protects that a cause adds up, or is not given. */
class CauseSentencesTest {
  @Test
  void waitsThatExplainMostOfTheChangeAreItsCause() {
    assertThat(sentence(100, 62, 75, 40, 3))
        .contains("because it waits 40.00 ms instead of 75.00 ms for Domain-0's vCPUs")
        .contains("are not explained by waiting");
  }

  @Test
  void waitsThatLeaveMoreUnexplainedThanTheyExplainAreNotGiven() {
    assertThat(sentence(100, 61.56, 20, 28.45, 46.89))
        .isEqualTo(
            "tuned, 25 users: a request takes 61.56 ms instead of 100.00 ms (-38.44 [-38.44,"
                + " -38.44] ms), which cannot be attributed with this monitor: -46.89 [-46.89,"
                + " -46.89] ms are not explained by waiting, more than the +8.45 ms that all waits"
                + " together explain; it shows how long vCPUs wait, and not how many requests wait"
                + " for them");
  }

  @Test
  void theMonitorsDoubtIsOfCausesThatAreGiven() {
    Cause given = cause(100, 62, 75, 40, 3);
    Cause silent = cause(100, 61.56, 20, 28.45, 46.89);
    assertThat(CauseSentences.of(new Causes(List.of(given), "it overstates waits", List.of())))
        .endsWith("it overstates waits, so waiting may explain less of the change than this");
    assertThat(CauseSentences.of(new Causes(List.of(silent), "it overstates waits", List.of())))
        .hasSize(1);
  }

  @Test
  void waitsThatWereReadOnceHaveNoInterval() {
    Difference once = new Difference(30, 12, Double.NaN, Double.NaN);
    Cause cause =
        new Cause(
            "tuned",
            Load.of(25),
            once,
            List.of(new Cause.Station("web", once, once, List.of())),
            new Difference(3, 0, Double.NaN, Double.NaN));
    assertThat(CauseSentences.of(new Causes(List.of(cause), "", List.of())))
        .singleElement()
        .asString()
        .contains("waits for pCPUs were read once for each setting")
        .doesNotContain("is shown");
  }

  private static String sentence(double from, double to, double waited, double waits, double rest) {
    return CauseSentences.of(
            new Causes(List.of(cause(from, to, waited, waits, rest)), "", List.of()))
        .get(0);
  }

  private static Cause cause(double from, double to, double waited, double waits, double rest) {
    return new Cause(
        "tuned",
        Load.of(25),
        known(from, to),
        List.of(new Cause.Station("Domain-0", known(waited, waits), known(1, 1), List.of())),
        known(rest, 0));
  }

  /** A difference whose interval is as good as its value. */
  private static Difference known(double from, double to) {
    return new Difference(from, to, 1e-6, 4);
  }
}
