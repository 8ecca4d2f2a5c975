package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.json.Json;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.answer.Diagnostics;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.WashOutCheck;
import io.slicewise.stats.Band;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Protects what counts as a replicate in a switchback design: sessions, not windows; and that the
 * checks of the design reach the tables, the comparison and the recommendation.
 */
class SessionEvidenceTest {
  /** Sessions and blocks differ in level, and the effect of heavy by session. */
  private static double rate(int session, int block, String profile) {
    double level = 100 * Math.pow(1.5, session) * (1 + 0.05 * (block % 3));
    return profile.equals("heavy") ? level * (1.2 + 0.01 * session + 0.002 * (block % 2)) : level;
  }

  private static List<TrialResult> clean(Experiment experiment) {
    return Sessions.run(experiment, (s, b, profile, previous, later) -> rate(s, b, profile));
  }

  private static Comparison effect(
      Experiment experiment, List<TrialResult> results, Metric metric) {
    return Comparisons.of(experiment, results, new Question(Metric.THROUGHPUT, Band.DEFAULT))
        .stream()
        .filter(one -> one.metric().equals(metric) && one.profile().equals("heavy"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void threeSessionsAreThreeObservations() {
    Experiment experiment = Sessions.experiment(3, 6, "base", "heavy");

    Comparison heavy = effect(experiment, clean(experiment), Metric.THROUGHPUT);

    assertThat(heavy.means().basis()).isEqualTo(Basis.SESSIONS);
    assertThat(heavy.means().effect().n()).isEqualTo(3);
    assertThat(heavy.means().effect().degreesOfFreedom()).isEqualTo(2);
    double[] d = new double[3];
    for (int s = 1; s <= 3; s++) {
      d[s - 1] = (Math.log(1.2 + 0.01 * s) + Math.log(1.202 + 0.01 * s)) / 2;
    }
    double mean = (d[0] + d[1] + d[2]) / 3;
    double deviation =
        Math.sqrt(
            (Math.pow(d[0] - mean, 2) + Math.pow(d[1] - mean, 2) + Math.pow(d[2] - mean, 2)) / 2);
    assertThat(heavy.means().effect().logRatio()).isCloseTo(mean, within(1e-9));
    assertThat(heavy.means().effect().standardError())
        .isCloseTo(deviation / Math.sqrt(3), within(1e-9));
    assertThat(heavy.means().after() / heavy.means().before())
        .isCloseTo(Math.exp(mean), within(1e-9));
    assertThat(heavy.verdict()).isEqualTo(Verdict.BETTER);
  }

  @Test
  void oneSessionHoldsForItselfOnly() {
    Experiment experiment = Sessions.experiment(1, 8, "base", "heavy");
    List<TrialResult> results = clean(experiment);

    Comparison heavy = effect(experiment, results, Metric.THROUGHPUT);

    assertThat(heavy.means().basis()).isEqualTo(Basis.SESSION_BLOCKS);
    assertThat(heavy.means().effect().n()).isEqualTo(8);
    assertThat(Summaries.summarise(experiment, results, List.of()).notes())
        .anyMatch(note -> note.contains("holds for this session; a restart may change it"))
        .anyMatch(note -> note.contains("differ from session to session"));
  }

  /** Five blocks in which the effect only grows cannot be joined into four that are independent. */
  @Test
  void blocksThatAreAlikeLimitTheAnswer() {
    Experiment experiment = Sessions.experiment(1, 5, "base", "heavy");
    List<TrialResult> growing =
        Sessions.run(
            experiment,
            (s, b, profile, previous, later) -> profile.equals("heavy") ? 120 + 5 * b : 100);
    assertThat(notes(experiment, growing))
        .anyMatch(note -> note.contains("adjacent blocks are alike (p 0.0"));
    assertThat(notes(experiment, clean(experiment))).noneMatch(note -> note.contains("alike"));
  }

  private static List<String> notes(Experiment experiment, List<TrialResult> results) {
    Question question = Question.of(experiment, results);
    return Diagnostics.of(Recommendation.from(experiment, results, question), true, 30).notes();
  }

  @Test
  void windowWithoutPartnerIsLeftOut() {
    Experiment experiment = Sessions.experiment(3, 6, "base", "heavy");
    List<TrialResult> results = new ArrayList<>(clean(experiment));
    int first =
        results.stream()
            .filter(one -> one.trial().profile().equals("base"))
            .mapToInt(results::indexOf)
            .min()
            .orElseThrow();
    results.set(first, Sessions.excluded(results.get(first)));

    Comparison heavy = effect(experiment, results, Metric.THROUGHPUT);
    SessionEvidence evidence = SessionEvidence.of(experiment, results).orElseThrow();

    assertThat(heavy.means().effect().n()).isEqualTo(3);
    assertThat(evidence.bySession()).extracting(one -> one.blocks()).containsExactly(5, 6, 6);
    assertThat(evidence.sessions()).extracting(one -> one.excluded()).containsExactly(1, 0, 0);
    assertThat(evidence.sessions()).extracting(one -> one.windows()).containsExactly(12, 12, 12);
  }

  @Test
  void levelsHaveAnIntervalOverSessions() {
    Experiment experiment = Sessions.experiment(3, 6, "base", "heavy");

    SweepSummary summary = Summaries.summarise(experiment, clean(experiment), List.of());
    CellSummary base = summary.cells().get(0);

    assertThat(base.n()).isEqualTo(18);
    assertThat(base.metrics().get(Metric.THROUGHPUT).n()).isEqualTo(3);
    assertThat(base.metrics().get(Metric.THROUGHPUT).mean())
        .isCloseTo(105 * (1.5 + 2.25 + 3.375) / 3, within(1e-9));
    assertThat(Json.text(summary)).contains("\"washOut\"").contains("\"basis\" : \"sessions\"");
  }

  @Test
  void summaryOfTrialsHasNoSessions() {
    Experiment experiment = Trials.experiment(List.of(25), 2, "base", "heavy");
    List<TrialResult> results =
        List.of(Trials.trial(1, "base", 25, 1, 100), Trials.trial(2, "heavy", 25, 1, 110));

    assertThat(Json.text(Summaries.summarise(experiment, results, List.of())))
        .doesNotContain("sessions");
  }

  @Test
  void tailPercentileIsThatOfMergedWindows() {
    Experiment experiment = Sessions.experiment(3, 6, "base", "heavy");
    List<TrialResult> results = clean(experiment);

    Comparison p99 = effect(experiment, results, Metric.P99);

    // 500 samples in a window carry no p99; 3,000 in a session do.
    assertThat(p99.means().basis()).isEqualTo(Basis.SESSIONS);
    assertThat(p99.means().effect().n()).isEqualTo(3);
    assertThat(p99.change().percent()).isCloseTo(-18.3, within(1.0));
    assertThat(Summaries.summarise(experiment, results, List.of()).notes())
        .anyMatch(note -> note.contains("sessions are the replicates"));
  }

  @Test
  void bestSetIsOverSessions() {
    Experiment experiment = Sessions.experiment(3, 6, "base", "heavy");

    BestSet set = BestSet.of(experiment, clean(experiment), Metric.THROUGHPUT).get(0);

    assertThat(set.basis()).isEqualTo(Basis.SESSIONS);
    assertThat(set.repetitions()).isEqualTo(3);
    assertThat(set.known()).isTrue();
    assertThat(set.profiles()).containsExactly("heavy");
  }

  @Test
  void settingsFoundTwiceAreTheControl() {
    Experiment experiment =
        Sessions.withControl(Sessions.experiment(3, 6, "base", "heavy"), "again");
    List<TrialResult> results = clean(experiment);

    List<Comparison> comparisons =
        Comparisons.of(experiment, results, new Question(Metric.THROUGHPUT, Band.DEFAULT));
    ControlCheck control = ControlCheck.of(comparisons, Metric.THROUGHPUT);

    assertThat(comparisons).anyMatch(one -> one.kind() == Kind.CONTROL);
    assertThat(control.outcome()).isEqualTo(ControlCheck.Outcome.NO_FALSE_ALARM);
  }

  @Test
  void washOutThatIsTooShortIsFound() {
    Experiment experiment =
        Sessions.withControl(Sessions.experiment(3, 6, "base", "heavy"), "again");
    List<TrialResult> results =
        Sessions.run(
            experiment,
            (s, b, profile, previous, later) -> {
              double now = rate(s, b, profile);
              double before = previous.isEmpty() ? now : rate(s, b, previous);
              double noise = 1 + 0.004 * Math.sin(17 * b + 5 * s + profile.length());
              return noise * (later ? now : 0.5 * now + 0.5 * before);
            });

    WashOutCheck check = WashOutCheck.of(experiment, results);

    // The control has the baseline's settings: what follows it follows the baseline.
    assertThat(check.profiles()).containsExactly("base", "heavy");
    assertThat(check.outcome()).isEqualTo(WashOutCheck.Outcome.FOUND);
    assertThat(check.left().halvesShare().orElseThrow().share()).isBetween(0.4, 0.75);
    assertThat(check.sentence()).startsWith("wash-out: TOO SHORT");
    Recommendation facts =
        Recommendation.from(experiment, results, Question.of(experiment, results));
    assertThat(Diagnostics.of(facts, true, Double.NaN).alarms())
        .anyMatch(alarm -> alarm.contains("wash-out"));
    assertThat(SessionEvidence.of(experiment, results).orElseThrow().washOutWarnings()).hasSize(1);
  }

  @Test
  void washOutThatIsLongEnoughIsCovered() {
    Experiment experiment = Sessions.experiment(3, 6, "base", "heavy");

    WashOutCheck check =
        WashOutCheck.of(
            experiment,
            Sessions.run(
                experiment,
                (s, b, profile, previous, later) ->
                    rate(s, b, profile)
                        * (1
                            + 0.002
                                * Math.sin(31 * b + 7 * s + (later ? 2 : 0) + profile.length()))));

    assertThat(check.outcome()).isEqualTo(WashOutCheck.Outcome.COVERED);
    assertThat(check.sentence()).contains("long enough");
  }

  @Test
  void sessionsOfTwoRunsAreComparedAsSessions() {
    Experiment experiment = Sessions.experiment(3, 6, "base", "heavy");

    CellTrials cell = CellTrials.of(experiment, clean(experiment)).get(0);

    assertThat(cell.values(Metric.THROUGHPUT)).hasSize(3);
    assertThat(cell.observed(Metric.THROUGHPUT)).hasSize(18);
    assertThat(cell.load()).isEqualTo(Load.of(25));
  }
}
