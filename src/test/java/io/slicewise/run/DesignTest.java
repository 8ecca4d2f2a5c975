package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.file.LimitsSection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what a resumed run keeps to: how trials are measured, the rules by which one leaves, and
 * how a stop judges; and that what may change is not refused.
 */
class DesignTest {
  private static final String PLAIN =
      """
      name: shop
      host: {address: dom0.example}
      domains: {main: [web]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}}
      workload: {name: web-app, target: "http://web.example/"}
      users: [10]
      repetitions: 5
      measure: 3m
      limits: {errors: 0.5%, repeat-invalid: 2}
      """;
  private static final String TWO_STAGE =
      PLAIN + "stop: {precision: 3%, rule: two-stage, within: {trials: 12, time: 8h}}\n";
  private static final String ALWAYS_VALID = TWO_STAGE.replace("two-stage", "always-valid");

  @TempDir Path directory;

  private Design design(String text) {
    try {
      return Design.of(
          ExperimentFiles.read(Files.writeString(directory.resolve("shop.yaml"), text)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> edited(String text, String from, String to) {
    assertThat(text).contains(from);
    return design(text).brokenBy(design(text.replace(from, to)));
  }

  @Test
  void everyLimitStaysExceptTheNumberOfFurtherAttempts() {
    assertThat(edited(PLAIN, "errors: 0.5%", "other-work: 90%"))
        .containsExactly("limit of other-work was 25% and is 90%");
    assertThat(LimitsSection.OPTIONS)
        .filteredOn(limit -> !limit.name().equals("repeat-invalid"))
        .allSatisfy(
            limit -> assertThat(design(PLAIN).facts()).containsKey("limit of " + limit.name()));
  }

  @Test
  void theQuestionOfATuneStaysAndItsBudgetMayGrow() {
    String tune = PLAIN + "tune: {goal: lowest p95, within: 5%, budget: {time: 6h}}\n";
    assertThat(edited(tune, "goal: lowest p95", "goal: lowest mean"))
        .containsExactly("goal of tune was lowest p95 and is lowest mean");
    assertThat(edited(tune, "within: 5%", "within: 2%"))
        .containsExactly("within of tune was 5% and is 2%");
    assertThat(edited(tune, "time: 6h", "time: 12h")).isEmpty();
  }

  @Test
  void theFirstStageAndHowItIsJudgedStay() {
    assertThat(edited(TWO_STAGE, "repetitions: 5", "repetitions: 8"))
        .containsExactly("repetitions, the first stage of stop, was 5 and is 8");
    assertThat(edited(TWO_STAGE, "precision: 3%", "precision: 5%"))
        .containsExactly("precision of stop was 3% and is 5%");
    assertThat(edited(TWO_STAGE, "two-stage", "always-valid"))
        .containsExactly("rule of stop was two-stage and is always-valid");
    assertThat(design(TWO_STAGE).brokenBy(design(PLAIN))).hasSize(3);
    assertThat(edited(ALWAYS_VALID, "trials: 12", "trials: 20"))
        .containsExactly("trials of stop was 12 and is 20");
  }

  @Test
  void boundsMayGrowAndAStopMayBeAdded() {
    assertThat(edited(TWO_STAGE, "trials: 12", "trials: 20")).isEmpty();
    assertThat(edited(ALWAYS_VALID, "time: 8h", "time: 48h")).isEmpty();
    assertThat(design(PLAIN).brokenBy(design(TWO_STAGE))).isEmpty();
    assertThat(edited(PLAIN, "repetitions: 5", "repetitions: 8")).isEmpty();
  }

  @Test
  void whatTrialsMeasureAndWhenOneLeavesStays() {
    assertThat(edited(PLAIN, "measure: 3m", "measure: 1m"))
        .containsExactly("measure was 3m and is 1m");
    assertThat(edited(PLAIN, "errors: 0.5%", "errors: 2%"))
        .containsExactly("limit of errors was 0.5% and is 2%");
    assertThat(edited(PLAIN, "weight: 512", "weight: 768"))
        .containsExactly(
            "profile heavy was web credit weight 512 cap 0 and is web credit weight 768 cap 0");
    assertThat(edited(PLAIN, "web.example/\"", "web.example/\", properties: {think-time: 5}"))
        .containsExactly("properties was {} and is {think-time=5}");
    assertThat(edited(PLAIN, "repeat-invalid: 2", "repeat-invalid: 5")).isEmpty();
    assertThat(edited(PLAIN, "address: dom0.example", "address: 192.0.2.7")).isEmpty();
  }

  @Test
  void theWorkloadsOptionsStayOnAHostAndOnALab() {
    String tpcb =
        PLAIN.replace(
            "{name: web-app, target: \"http://web.example/\"}",
            "{name: tpcb, database: 'jdbc:postgresql://db/bench', scale: 10, interference: 0}");
    String lab =
        tpcb.replace("host: {address: dom0.example}", "lab: {pcpus: 4}")
            .replace("database: 'jdbc:postgresql://db/bench', ", "");
    for (String text : List.of(tpcb, lab)) {
      assertThat(edited(text, "scale: 10", "scale: 100"))
          .containsExactly("option scale was 10 and is 100");
      assertThat(edited(text, "interference: 0", "interference: 0, interference-clients: 8"))
          .containsExactly("option interference-clients was 4 and is 8");
      assertThat(edited(text, "scale: 10,", "size: small,")).isEmpty();
      assertThat(edited(text, "interference: 0", "plan: mine.jmx"))
          .containsExactly("plan was none and is mine.jmx");
    }
    assertThat(edited(tpcb, "//db/bench", "//db:6543/bench")).isEmpty();
    assertThat(edited(lab, "pcpus: 4", "pcpus: 8"))
        .containsExactly("lab was {pcpus=4} and is {pcpus=8}");
    assertThat(edited(lab, "pcpus: 4", "pcpus: 4, faults: []")).isEmpty();
  }

  @Test
  void aJournalWithoutTheWorkloadsOptionsBreaksNothing() {
    Map<String, String> old = new LinkedHashMap<>(design(PLAIN).facts());
    old.keySet().removeIf(fact -> fact.startsWith("option ") || fact.equals("plan"));
    assertThat(old).hasSizeLessThan(design(PLAIN).facts().size());
    assertThat(new Design(old).brokenBy(design(PLAIN))).isEmpty();
  }
}
