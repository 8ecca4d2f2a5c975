package io.slicewise.evidence.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.answer.Answer.Claim;
import io.slicewise.report.Reports;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.stats.Verdict;
import io.slicewise.sweep.source.RecordedTune;
import io.slicewise.sweep.source.TuneBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects that a confirmed choice never stands above a row of the same numbers that calls it
 * unclear: an interval that excludes zero but reaches into the band of ±2 %.
 */
class ConfirmedRowTest {
  private static final String EXPERIMENT =
      """
      name: tuned
      host: {address: dom0}
      domains: {main: [web, db]}
      profiles: [as-found]
      workload: {name: web-app, target: http://web/}
      users: 10
      design: {kind: trials}
      tune:
        goal: lowest p95
        budget: {trials: 80}
        search: {web: {weight: 64..4096}, db: {weight: 64..4096}}
      """;

  /** The p95 of the settings found, by the truth of the bench. */
  private static final double FOUND = 130;

  @TempDir private Path directory;

  @Test
  void confirmedChoiceIsBetterInTheRowsOfItsConfirmation() throws IOException {
    RunDirectory run =
        RecordedTune.write(directory, EXPERIMENT, 10_000, ConfirmedRowTest::p95, any -> List.of());
    RunEvidence evidence = RunEvidence.of(run.load());
    Claim claim = Answers.of(evidence).claims().get(0);
    assertThat(claim.kind()).isEqualTo(Answer.Kind.USE);
    assertThat(claim.effect().orElseThrow().change().high()).isBetween(-2.0, 0.0);
    List<Comparison> rows =
        evidence.facts().comparisons().stream()
            .filter(row -> row.kind() == Comparison.Kind.PRIMARY)
            .filter(row -> claim.names().contains(row.profile()))
            .toList();
    assertThat(rows)
        .singleElement()
        .satisfies(
            row -> assertThat(row.verdict()).isEqualTo(Verdict.BETTER),
            row -> assertThat(row.change().high()).isGreaterThan(-2));
  }

  /** Table, answer and model of one tune have levels of their own; its page says why. */
  @Test
  void pageSaysWhyTheLevelsOfATuneDiffer() throws IOException {
    RunDirectory run =
        RecordedTune.write(directory, EXPERIMENT, 10_000, ConfirmedRowTest::p95, any -> List.of());
    assertThat(Files.readString(Reports.write(run).html()))
        .containsOnlyOnce(
            "levels: the answer has geometric means over the blocks of its confirmation, tables"
                + " have arithmetic means over all windows");
  }

  /** The race sees a large effect; its confirmation one of −2.5 %, a little different each time. */
  private static double p95(PlannedTrial planned) {
    boolean found = planned.profile().name().equals("as-found");
    if (found || planned.purpose() != Purpose.CONFIRMATION) {
      return TuneBench.truth(planned.profile());
    }
    return 0.975 * FOUND * Math.exp(0.012 * Math.sin(planned.trial().number()));
  }
}
