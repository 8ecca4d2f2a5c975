package io.slicewise.tune.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.DocumentSection;
import io.slicewise.tune.Rules;
import io.slicewise.tune.replay.Replay.EqualAllocation;
import io.slicewise.tune.replay.Replay.Noise;
import io.slicewise.tune.replay.Replay.TunedTrials;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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
  @Tag("thorough")
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
  void documentShowsTheRunsThatEqualAllocationNeeds() {
    StringBuilder text = new StringBuilder("| table | CV | noise | by load | total |\n");
    text.append("|---|---:|---|---|---:|\n");
    Rules high = Rules.DEFAULT;
    double rates = compare(text, "throughput", StudySurfaces.all(), high, 6, 10, 25);
    double times =
        compare(text, "response time", StudySurfaces.responseTimes(), high.lowest(), 6, 10);
    double drawn = compare(text, "drawn", StudySurfaces.drawn(), high, 6, 10);
    DocumentSection.of("docs/tune.md", "equal").holds(text.toString());
    assertThat(Math.max(rates, times)).isLessThanOrEqualTo(0.5);
    assertThat(drawn).isLessThanOrEqualTo(0.6);
  }

  /** Appends the rows of a table, and returns the largest total in them. */
  private static double compare(
      StringBuilder text, String table, List<Surface> surfaces, Rules rules, int... percents) {
    double most = 0;
    for (int percent : percents) {
      for (Noise noise : TRIALS) {
        int tuned = 0;
        int equal = 0;
        StringJoiner loads = new StringJoiner(", ");
        for (Surface published : surfaces) {
          Surface surface = published.scattered(percent / 100.0);
          Search search = new Search(surface, rules);
          Replay.Draws draws = new Replay.Draws(surface, noise);
          int ours = search.least(budget -> new TunedTrials(surface, rules, draws, budget));
          int theirs = search.least(budget -> EqualAllocation.of(surface, rules, draws, budget));
          loads.add(ours + "/" + theirs);
          tuned += ours;
          equal += theirs;
        }
        text.append(
            String.format(
                Locale.ROOT,
                "| %s | %d %% | %s | %s | %.0f %% |\n",
                table,
                percent,
                noise.name().toLowerCase(Locale.ROOT),
                loads,
                100.0 * tuned / equal));
        most = Math.max(most, (double) tuned / equal);
      }
    }
    return most;
  }

  /** The least budget with which a method chooses well in 95 of 100 searches. */
  private record Search(Surface surface, Rules rules) {
    private static final int SEARCHES = 2_000;

    int least(IntFunction<Replay.Method> method) {
      int low = surface.size() - 1;
      int high = surface.size();
      while (!isGood(method.apply(high))) {
        low = high;
        high *= 2;
      }
      while (high - low > 1) {
        int middle = (low + high) / 2;
        if (isGood(method.apply(middle))) {
          high = middle;
        } else {
          low = middle;
        }
      }
      return high;
    }

    private boolean isGood(Replay.Method method) {
      double[] means = surface.means();
      double best =
          (rules.lowerIsBetter() ? Arrays.stream(means).min() : Arrays.stream(means).max())
              .orElseThrow();
      return LongStream.range(0, SEARCHES)
              .filter(
                  seed ->
                      Math.abs(means[method.run(seed).choice()] - best)
                          <= rules.within() * best + 1e-9)
              .count()
          >= 0.95 * SEARCHES;
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
