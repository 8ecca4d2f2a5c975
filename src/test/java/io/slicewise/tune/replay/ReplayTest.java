package io.slicewise.tune.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.tune.Rules;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds what docs/tune.md promises of the tuner's decisions, on the surfaces of the 2010 study. */
class ReplayTest {
  private static final int GRID = 50;

  /** Stands for each profile's own scatter, as published. */
  private static final double OWN = 0;

  private static final List<Noise> TRIALS = List.of(Noise.NORMAL, Noise.LOGNORMAL);

  @Test
  void sameSeedGivesTheSameReport() {
    assertThat(replay(Noise.SESSION, 4, 50)).isEqualTo(replay(Noise.SESSION, 4, 50));
  }

  @Test
  void comparatorsSpendWhatTheyAreGiven() {
    ReplayReport report = replay(Noise.NORMAL, 37, 5);
    ReplayReport.Load load = report.loads().get(0);
    assertThat(score(load, "grid").runs()).isEqualTo(GRID);
    assertThat(score(load, "equal-allocation").runs()).isEqualTo(37);
    assertThat(score(load, "sequential-halving").runs()).isEqualTo(37);
  }

  @Test
  void withoutScatterAllFindTheBest() {
    for (ReplayReport.Load load : report(1e-9, Noise.NORMAL, 0, 0, 20).loads()) {
      assertThat(load.methods()).allMatch(score -> score.expectedLoss() == 0);
    }
  }

  @Test
  void quietTrialsNeedHalfTheGrid() {
    good(0.045, 25, 500);
    good(0.06, 40, 500);
  }

  @Test
  void claimsAreHonest() {
    honest(400, 0.06, 0.1);
  }

  @Test
  void aNightOfSessionsFindsWhatTheStudyCouldNot() {
    sessions(60);
  }

  @Test
  @Tag("nightly")
  void quietTrialsNeedHalfTheGridInTheLongRun() {
    good(0.045, 25, 20_000);
    good(0.06, 40, 20_000);
  }

  @Test
  @Tag("nightly")
  void claimsAreHonestInTheLongRun() {
    honest(4_000, OWN, 0.02, 0.045, 0.06, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3);
  }

  @Test
  @Tag("nightly")
  void aNightOfSessionsFindsWhatTheStudyCouldNotInTheLongRun() {
    sessions(4_000);
  }

  @Test
  @Tag("nightly")
  void aNightOfSessionsSufficesAtEveryLoad() {
    List<ReplayReport> nights =
        List.of(
            report(0.25, Noise.SESSION, 6, 0, 2_000), report(0.25, Noise.SESSION, 12, 0.05, 2_000));
    for (ReplayReport night : nights) {
      assertThat(night.loads()).allMatch(load -> score(load, "slicewise").goodSelection() >= 0.95);
    }
    for (int runs : new int[] {6, 12, 24, 60}) {
      assertThat(report(0.25, Noise.SESSION, runs, 0.2, 2_000).loads())
          .allMatch(load -> score(load, "slicewise").falseClaims() <= 0.05);
    }
  }

  @Test
  @Tag("nightly")
  void isNeverWorseThanTheGridInTwoThirdsOfItsRuns() {
    for (Noise noise : TRIALS) {
      for (double variation : new double[] {OWN, 0.1, 0.2, 0.25, 0.3}) {
        List<Integer> runs =
            surfaces(variation).stream().map(surface -> asTheGrid(surface, noise)).toList();
        assertThat(runs).as("%s, CV %s", noise, variation).allMatch(one -> one <= 0.86 * GRID);
        assertThat(runs.stream().mapToInt(one -> one).average().orElseThrow())
            .as("%s, CV %s: %s", noise, variation, runs)
            .isLessThanOrEqualTo(0.65 * GRID);
      }
    }
  }

  @Test
  @Tag("nightly")
  void needsHalfTheRunsOfEqualAllocation() {
    for (Noise noise : TRIALS) {
      for (double variation : new double[] {0.06, 0.1, 0.15, 0.2, 0.25}) {
        double tuned = 0;
        double equal = 0;
        // At 6 % two runs of each profile suffice, and a race that begins with one has little to
        // save.
        double share = variation < 0.1 ? 0.7 : 0.65;
        for (Surface surface : surfaces(variation)) {
          int least = leastFor(surface, noise, "equal-allocation", 10);
          int ours = leastFor(surface, noise, "slicewise", 1);
          assertThat((double) ours)
              .as("%s, CV %s, %d users", noise, variation, surface.users())
              .isLessThanOrEqualTo(Math.max(surface.size(), share * least));
          tuned += ours;
          equal += least;
        }
        assertThat(tuned).as("%s, CV %s", noise, variation).isLessThanOrEqualTo(0.5 * equal);
      }
    }
  }

  private static void good(double variation, int runs, int replications) {
    for (Noise noise : TRIALS) {
      for (ReplayReport.Load load : report(variation, noise, runs, 0, replications).loads()) {
        assertThat(score(load, "slicewise").goodSelection())
            .as("%s, %d users", noise, load.users())
            .isGreaterThanOrEqualTo(0.95);
      }
    }
  }

  private static void honest(int replications, double... variations) {
    for (Noise noise : TRIALS) {
      for (double variation : variations) {
        for (int runs : new int[] {0, GRID, 4_000}) {
          report(variation, noise, runs, 0, replications)
              .loads()
              .forEach(
                  load ->
                      assertThat(score(load, "slicewise").falseClaims())
                          .as("%s, CV %s, %d users", noise, variation, load.users())
                          .isLessThanOrEqualTo(0.05));
        }
      }
    }
  }

  private static void sessions(int replications) {
    assertThat(meanGood(report(0.25, Noise.SESSION, 6, 0, replications))).isGreaterThan(0.95);
    ReplayReport particular = report(0.25, Noise.SESSION, 12, 0.05, replications);
    assertThat(meanGood(particular)).isGreaterThan(0.95);
    assertThat(particular.loads()).allMatch(load -> score(load, "slicewise").falseClaims() <= 0.05);
  }

  private static double meanGood(ReplayReport report) {
    return report.loads().stream()
        .mapToDouble(load -> score(load, "slicewise").goodSelection())
        .average()
        .orElseThrow();
  }

  /** The least budget in which both measures are as good as the grid's. */
  private static int asTheGrid(Surface surface, Noise noise) {
    return IntStream.rangeClosed(surface.size(), 2 * GRID)
        .filter(
            runs -> {
              ReplayReport.Load load = one(surface, noise, runs, 4_000);
              ReplayReport.Score tuned = score(load, "slicewise");
              ReplayReport.Score grid = score(load, "grid");
              return tuned.goodSelection() >= grid.goodSelection()
                  && tuned.expectedLoss() <= grid.expectedLoss();
            })
        .findFirst()
        .orElseThrow();
  }

  /** The least budget with which a method chooses well in 95 of 100 searches, by bisection. */
  private static int leastFor(Surface surface, Noise noise, String method, int step) {
    int low = 0;
    int high = 4_000 / step;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      int runs = Math.max(surface.size(), middle * step);
      if (score(one(surface, noise, runs, 2_000), method).goodSelection() >= 0.95) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return Math.max(surface.size(), high * step);
  }

  private static ReplayReport.Load one(Surface surface, Noise noise, int runs, int replications) {
    return new Replay(Rules.DEFAULT, runs, noise, 0, replications, 1)
        .of(List.of(surface))
        .loads()
        .get(0);
  }

  private static ReplayReport replay(Noise noise, int runs, int replications) {
    return report(0.25, noise, runs, 0.05, replications);
  }

  private static ReplayReport report(
      double variation, Noise noise, int runs, double particular, int replications) {
    return new Replay(Rules.DEFAULT, runs, noise, particular, replications, 1)
        .of(surfaces(variation));
  }

  /** The study's surfaces; with its own deviations where the variation is {@link #OWN}. */
  private static List<Surface> surfaces(double variation) {
    return variation == OWN
        ? StudySurfaces.all()
        : StudySurfaces.all().stream().map(surface -> surface.scattered(variation)).toList();
  }

  private static ReplayReport.Score score(ReplayReport.Load load, String method) {
    return load.methods().stream()
        .filter(one -> one.name().equals(method))
        .findFirst()
        .orElseThrow();
  }
}
