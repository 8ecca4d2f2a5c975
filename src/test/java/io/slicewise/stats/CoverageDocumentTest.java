package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.DocumentSection;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Protects the coverage that {@code docs/methods.md} reports: it is simulated anew here. */
class CoverageDocumentTest {
  private static final int ROUNDS = 40_000;
  private static final int[] SIZES = {3, 5, 10, 30};

  private static Simulation simulation() {
    return new Simulation(1, ROUNDS);
  }

  @Test
  void documentShowsTheCoverageThatWasSimulated() {
    StringBuilder text = new StringBuilder();
    text.append("| trials | n = 3 | n = 5 | n = 10 | n = 30 |\n");
    text.append("|---|---:|---:|---:|---:|\n");
    text.append(row("normal, Student", n -> simulation().studentCoverage(n, z -> z, 0)));
    for (double sigma : new double[] {0.1, 0.25, 0.5, 1}) {
      text.append(
          row(
              String.format(Locale.ROOT, "lognormal σ = %.2f, Student", sigma),
              n ->
                  simulation()
                      .studentCoverage(n, z -> Math.exp(sigma * z), Math.exp(sigma * sigma / 2))));
    }
    text.append(row("lognormal σ = 1.00, logarithmic", n -> simulation().logCoverage(n, 1)));
    text.append(row("normal, published formula", n -> simulation().publishedCoverage(n)));
    DocumentSection.of("docs/methods.md", "coverage").holds(text.toString());
  }

  @Test
  void documentShowsWhatStoppingCosts() {
    Simulation simulation = new Simulation(1, 10_000);
    ConfidenceSequence sequence = ConfidenceSequence.narrowestAt(12, 0.95);
    String text =
        "| rule | covers |\n|---|---:|\n"
            + stop(
                "Student, stopped at the first look that shows ±3 % (3 to 30 trials)",
                simulation.coverageWhenStoppedAtFirstPreciseLook(0.05, 0.03, 3, 30))
            + stop("Stein, first stage of 5", new Simulation(1, 2_000).steinCoverage(5, 0.05, 0.03))
            + stop(
                "confidence sequence, at every look from 2 to 100",
                new Simulation(1, 2_000).sequenceCoverage(100, sequence));
    DocumentSection.of("docs/methods.md", "stopping").holds(text);
  }

  @Test
  void documentShowsHowOftenAnyIsFalselyCalledTheSame() {
    StringBuilder text =
        new StringBuilder("| comparisons | each at 5 % | Holm |\n|---|---:|---:|\n");
    for (int[] family : new int[][] {{1, 1}, {4, 1}, {9, 1}, {9, 5}}) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %d | %.1f %% | %.1f %% |\n",
              family[0] * family[1],
              100 * new Simulation(1, 4_000).falseSame(family[0], family[1], false),
              100 * new Simulation(1, 4_000).falseSame(family[0], family[1], true)));
    }
    DocumentSection.of("docs/methods.md", "same").holds(text.toString());
  }

  @Test
  @Tag("nightly")
  void documentShowsHowOftenTheBestIsInItsSet() {
    StringBuilder text = new StringBuilder();
    text.append(
        "| profiles | scatter | in blocks: n = 3 | 5 | 10 | independent: n = 3 | 5 | 10 |\n");
    text.append("|---:|---|---:|---:|---:|---:|---:|---:|\n");
    for (int profiles : new int[] {3, 4, 10}) {
      for (Scatter scatter : Scatter.values()) {
        text.append("| %d | %s |".formatted(profiles, scatter.words));
        for (boolean blocked : new boolean[] {true, false}) {
          for (int n : new int[] {3, 5, 10}) {
            double kept = new Simulation(1, 20_000).bestKept(n, blocked, scatter.of(profiles));
            assertThat(kept).as("%s, n = %s", scatter.words, n).isGreaterThanOrEqualTo(0.94);
            text.append(String.format(Locale.ROOT, " %.1f %% |", 100 * kept));
          }
        }
        text.append('\n');
      }
    }
    DocumentSection.of("docs/methods.md", "best-kept").holds(text.toString());
  }

  @Test
  @Tag("nightly")
  void documentShowsWhatIntervalsHoldWhereProfilesDrift() {
    StringBuilder text = new StringBuilder();
    text.append("| of a window's variance drifts | correlation time | 1 session: the long run |");
    text.append(" this session | 2: the long run | these | 3: the long run | these |\n");
    text.append("|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int percent : new int[] {0, 1, 2, 5, 10, 20}) {
      text.append(drifting(percent, 3));
    }
    text.append(drifting(20, 1)).append(drifting(20, 10));
    DocumentSection.of("docs/methods.md", "joined").holds(text.toString());
  }

  private static String drifting(int percent, int memory) {
    StringBuilder row = new StringBuilder("| %d %% | %d blocks |".formatted(percent, memory));
    for (int sessions : new int[] {1, 2, 3}) {
      Simulation.Held held =
          new Simulation(1, 4_000)
              .driftingCoverage(sessions, new Simulation.Drift(percent / 100.0, memory));
      assertThat(held.inTheseSessions())
          .as("%s %%, %s sessions", percent, sessions)
          .isGreaterThan(0.94);
      if (sessions >= SessionEffect.REPLICATES) {
        assertThat(held.inTheLongRun()).as("%s %%", percent).isGreaterThan(0.94);
      }
      row.append(
          String.format(
              Locale.ROOT,
              " %.1f %% | %.1f %% |",
              100 * held.inTheLongRun(),
              100 * held.inTheseSessions()));
    }
    return row.append('\n').toString().replace("1 blocks", "1 block");
  }

  /** Which of several profiles scatter more than the others; the first is the best. */
  private enum Scatter {
    ALIKE("all alike", 0.03, 0.03, 0.03),
    BEST("the best ten times", 0.3, 0.03, 0.03),
    BEST_SLIGHTLY("the best three times", 0.09, 0.03, 0.03),
    OTHER("one other ten times", 0.03, 0.3, 0.03),
    OTHERS("all others ten times", 0.03, 0.3, 0.3);

    private final String words;
    private final double best;
    private final double second;
    private final double rest;

    Scatter(String words, double best, double second, double rest) {
      this.words = words;
      this.best = best;
      this.second = second;
      this.rest = rest;
    }

    double[] of(int profiles) {
      double[] scatter = new double[profiles];
      Arrays.fill(scatter, rest);
      scatter[0] = best;
      scatter[1] = second;
      return scatter;
    }
  }

  private static String stop(String rule, double coverage) {
    return String.format(Locale.ROOT, "| %s | %.1f %% |\n", rule, 100 * coverage);
  }

  private static String row(String name, Coverage coverage) {
    StringBuilder row = new StringBuilder("| " + name + " |");
    for (int n : SIZES) {
      row.append(String.format(Locale.ROOT, " %.1f %% |", 100 * coverage.of(n)));
    }
    return row.append('\n').toString();
  }

  private interface Coverage {
    double of(int n);
  }
}
