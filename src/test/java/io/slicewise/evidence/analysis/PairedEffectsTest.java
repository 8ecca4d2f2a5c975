package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.StudyHours;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Protects that tables and answer say of pairs what the rule that ended the study saw. */
class PairedEffectsTest {
  private final Random random = new Random(20261124);
  private final Experiment experiment = pairs(24);

  private static Experiment pairs(int blocks) {
    Experiment e =
        Trials.withDesign(
            Sessions.experiment(1, blocks, "as-found", "heavy"),
            new PairsDesign(
                blocks,
                Duration.ofSeconds(Sessions.SECONDS),
                Optional.of(Duration.ofSeconds(2)),
                new PairsDesign.Bounds(blocks, PairsDesign.TIME, Optional.empty()),
                false,
                PairsDesign.Harm.UNLIMITED,
                StudyHours.ALWAYS));
    return new Experiment(
        e.name(),
        e.testbed(),
        e.arms(),
        e.workload(),
        e.loads(),
        e.course(),
        e.limits(),
        new Aim(Optional.of(new Aim.Goal("mean", OptionalDouble.empty())), Map.of()),
        e.tuning());
  }

  private List<TrialResult> run(double effect, double scatter) {
    return Sessions.run(
        experiment,
        (session, block, profile, previous, second) ->
            100
                * Math.exp(scatter * random.nextGaussian())
                / (profile.equals("heavy") ? Math.exp(effect) : 1));
  }

  private Comparison primary(List<TrialResult> results) {
    return Comparisons.of(experiment, results, Question.of(experiment, results)).stream()
        .filter(one -> one.kind() == Comparison.Kind.PRIMARY)
        .findFirst()
        .orElseThrow();
  }

  private PairedStudy.Candidate candidate(List<TrialResult> results) {
    return PairedStudy.of(experiment, results.stream().map(Measured::of).toList())
        .candidates()
        .get(0);
  }

  @Test
  void tablesHaveTheIntervalThatEndedTheStudy() {
    List<TrialResult> results = run(-0.1, 0.03);
    Comparison shown = primary(results);
    PairedStudy.Candidate seen = candidate(results);
    assertThat(shown.means().basis()).isEqualTo(Basis.PAIRS);
    assertThat(shown.means().effect().n()).isEqualTo(24).isEqualTo(seen.pairs().size());
    assertThat(shown.change().percent())
        .isCloseTo(100 * Math.expm1(seen.bets().estimate()), within(1e-9));
    assertThat(shown.change().low()).isCloseTo(100 * Math.expm1(seen.bets().low()), within(1e-9));
    assertThat(shown.change().high()).isCloseTo(100 * Math.expm1(seen.bets().high()), within(1e-9));
    assertThat(shown.tests().p()).isCloseTo(seen.bets().p(0), within(1e-12)).isLessThan(0.05);
    assertThat(shown.verdict()).isEqualTo(Verdict.BETTER);
    assertThat(seen.state()).isEqualTo(PairedStudy.State.BETTER);
    assertThat(shown.means().after() / shown.means().before())
        .isCloseTo(Math.exp(seen.bets().estimate()), within(1e-9));
  }

  @Test
  void noChangeIsNotShownAndSaysHowManyPairsMightDecide() {
    List<TrialResult> results = run(0.02, 0.1);
    Comparison shown = primary(results);
    assertThat(shown.verdict()).isEqualTo(Verdict.UNCLEAR);
    assertThat(candidate(results).state()).isEqualTo(PairedStudy.State.OPEN);
    assertThat(shown.moreBlocks().orElse(500)).isPositive();
  }

  @Test
  void windowsThatAgreeAreTheSame() {
    List<TrialResult> results = run(0, 0.002);
    assertThat(primary(results).verdict()).isEqualTo(Verdict.SAME);
    assertThat(candidate(results).state()).isEqualTo(PairedStudy.State.SAME);
  }

  @Test
  void aRecommendationOfPairsHasOneIntervalAndNoBestSet() {
    List<TrialResult> results = run(-0.1, 0.03);
    Recommendation facts =
        Recommendation.from(experiment, results, Question.of(experiment, results));
    assertThat(facts.candidate()).contains("heavy");
    assertThat(facts.bestSets()).isEmpty();
    assertThat(facts.sessions().orElseThrow().bySession()).isEmpty();
  }
}
