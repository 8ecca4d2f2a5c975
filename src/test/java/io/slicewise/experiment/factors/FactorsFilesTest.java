package io.slicewise.experiment.factors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.factors.Factors.Factor;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.profile.Credit;
import io.slicewise.profile.PoolWide;
import io.slicewise.profile.SchedulerProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Factors in an experiment file: the profiles they make, and what is refused. */
class FactorsFilesTest {
  private static final String END =
      """
      workload: {name: web-app, target: "http://web.example/"}
      users: 25
      """;

  @TempDir private Path directory;

  private Experiment read(String factors, String more) throws IOException {
    return read(
        """
        name: knobs
        host: {address: dom0.example}
        domains: {main: [web, db], other: [batch]}
        profiles:
          - as-found
          - factors: {%s}
        """
                .formatted(factors)
            + END
            + more);
  }

  private Experiment read(String text) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("knobs.yaml"), text));
  }

  @Test
  void makesAProfileOfEachCombination() throws IOException {
    Experiment experiment =
        read(
            "scheduler: credit, domains: {web: {weight: [256, 512, 1024]}, batch: {weight: 100, cap:"
                + " [0, 50]}}, pools: {Pool-0: {timeslice: [30ms, 5ms]}}",
            "");
    assertThat(experiment.profiles()).hasSize(1 + 3 * 2 * 2);
    assertThat(experiment.baseline()).isEqualTo("as-found");
    SchedulerProfile one = experiment.profile("weight-1024+cap-50+timeslice-5ms");
    assertThat(one.byDomain().get("web")).isEqualTo(Credit.of(1024, 0));
    assertThat(one.byDomain().get("batch")).isEqualTo(Credit.of(100, 50));
    assertThat(one.byTarget().get("cpupool Pool-0").get(PoolWide.TIMESLICE))
        .isEqualTo(Duration.ofMillis(5));
    Factors factors = experiment.factors().orElseThrow();
    assertThat(factors.factors())
        .containsExactly(
            new Factor("weight", List.of("256", "512", "1024")),
            new Factor("cap", List.of("0", "50")),
            new Factor("timeslice", List.of("30ms", "5ms")));
    assertThat(factors.profiles().get(0)).isEqualTo("weight-256+cap-0+timeslice-30ms");
    assertThat(factors.sentences())
        .containsExactly(
            "weight (3) x cap (2) x timeslice (2): all 12 cells, no effect is aliased");
  }

  @Test
  void writesThemOutAgain() throws IOException {
    Experiment experiment =
        read(
            "scheduler: credit, dom0: {weight: [256, 512]}, main: {weight: [256, 512], cap: [0, 80]},"
                + " design: III",
            "");
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
  }

  @Test
  void aFractionHasSomeOfTheCombinationsAndNamesItsAliases() throws IOException {
    Factors factors =
        read(
                "scheduler: credit, dom0: {weight: [256, 512]}, main: {weight: [256, 512], cap: [0,"
                    + " 80]}, design: III",
                "")
            .factors()
            .orElseThrow();
    assertThat(factors.profiles())
        .containsExactly(
            "dom0-weight-256+main-weight-256+cap-0",
            "dom0-weight-256+main-weight-512+cap-80",
            "dom0-weight-512+main-weight-256+cap-80",
            "dom0-weight-512+main-weight-512+cap-0");
    assertThat(factors.sentences())
        .containsExactly(
            "dom0-weight (2) x main-weight (2) x cap (2): 4 of 8 cells, resolution III; cap has its"
                + " second level where an odd number of dom0-weight, main-weight have",
            "aliased: dom0-weight with main-weight x cap; main-weight with dom0-weight x cap; cap"
                + " with dom0-weight x main-weight");
  }

  @Test
  void namesThatWouldBeTooLongCountLevels() throws IOException {
    Factors factors =
        read(
                "scheduler: credit, dom0: {weight: [25600, 51200], cap: [0, 80]}, domains: {web:"
                    + " {weight: [25600, 51200], cap: [0, 80]}, batch: {weight: [25600, 51200]}}",
                "")
            .factors()
            .orElseThrow();
    assertThat(factors.profiles()).hasSize(32).contains("levels-1-1-1-1-1", "levels-2-1-2-1-2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scheduler: credit, main: {weight: [256]} |"
            + " weight of main has 1 value: a factor needs two; write one without a list",
        "scheduler: credit, main: {weight: [256, 512, 256]} | weight of main lists 256 twice",
        "scheduler: credit, main: {weight: 256} |"
            + " factors has no list of values: write one, as in 'main: {weight: [256, 512]}'",
        "scheduler: credit, main: {wieght: [256, 512]} |"
            + " unknown key 'wieght' of main; did you mean 'weight'?",
        "scheduler: credit, main: {budget: [2ms, 4ms]} |"
            + " unknown key 'budget' of main; known are weight, cap",
        "scheduler: credit, main: {weight: [0, 512]} |"
            + " weight 0 of main is out of range 1..65535",
        "'scheduler: [credit, credit2], main: {weight: [256, 512]}' |"
            + " scheduler of factors cannot be a list: factors are parameters, as in 'main:"
            + " {weight: [256, 512]}'",
        "scheduler: credit, main: {weight: [256, 512], cap: [0, 10, 20]}, design: IV |"
            + " 'design: IV' needs two values of each factor, and cap has 3",
        "scheduler: credit, main: {weight: [256, 512], cap: [0, 10]}, design: III |"
            + " 2 factors have no fraction of resolution III; use 'design: full' with its 4 cells",
        "scheduler: credit, main: {weight: [256, 512], cap: [0, 10]}, design: half |"
            + " design half of factors is not one of",
        "scheduler: credit, main: {weight: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], cap: [0, 1, 2, 3, 4,"
            + " 5, 6, 7, 8, 9]} |"
            + " factors make 11 x 10 = 110 cells, and there may be 100",
        "scheduler: credit, main: {weight: [256, 512]}, domains: {web: {cap: 10}} |"
            + " weight of main contradicts the settings of web in 'domains', which replace those of"
            + " main",
        "scheduler: rtds, main: {period: [10ms, 10000us], budget: 4ms} |"
            + " the values make period-10ms and period-10000us the same settings",
        "scheduler: rtds, main: {period: [10ms, 2ms], budget: 4ms} |"
            + " budget 4ms of main is longer than its period of 2ms",
        "scheduler: cfs, main: {vcpu-quota: [10ms, 20ms], cap: [10%, 20%]} |"
            + " cannot be combined with vcpu-quota; write one of them",
      })
  void refusesWhatMakesNoFactors(String factors, String fault) {
    assertThatThrownBy(() -> read(factors, "")).hasMessageContaining(fault);
  }

  @Test
  void refusesDesignsWhoseBlocksLackCells() {
    String factors = "scheduler: credit, main: {weight: [256, 512]}";
    assertThatThrownBy(() -> read(factors, "design: {kind: pairs}\ngoal: lowest mean\n"))
        .hasMessageContaining("effects of factors need all cells in each block");
    assertThatThrownBy(() -> read(factors, "tune: {goal: lowest p95, budget: {windows: 200}}\n"))
        .hasMessageContaining("list the values in 'search' instead of 'factors'");
  }

  @Test
  void collectsAllFaults() {
    assertThatThrownBy(
            () ->
                read(
                    "scheduler: credit, main: {weight: [256], cap: [0, 10, 10]}, design: V",
                    "repetitions: 0\n"))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("weight of main has 1 value")
        .hasMessageContaining("cap of main lists 10 twice")
        .hasMessageContaining("repetitions 0");
  }

  @Test
  void thereIsOneEntryOfFactors() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    name: knobs
                    host: {address: dom0.example}
                    domains: {main: [web]}
                    profiles:
                      - factors: {scheduler: credit, main: {weight: [256, 512]}}
                      - factors: {scheduler: credit, main: {cap: [0, 50]}}
                    """
                        + END))
        .hasMessageContaining("profiles have one entry of factors; write all factors in it");
  }

  @Test
  void aPartOfTheCellsHasNoFactors() throws IOException {
    Experiment experiment = read("scheduler: credit, main: {weight: [256, 512]}", "");
    Experiment part =
        experiment.narrowedTo("as-found", List.of("as-found", "weight-512"), experiment.loads());
    assertThat(experiment.factors()).isPresent();
    assertThat(part.factors()).isEmpty();
  }
}
