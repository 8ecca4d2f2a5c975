package io.slicewise.experiment.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.experiment.TuneDesign;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.experiment.goal.Tuning.TuneGoal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The {@code tune} part: what it means, and one sentence with the way out for what it cannot. */
class TuningSectionTest {
  private static final String SEARCH = "search: {web: {weight: 64..4096}}";
  @TempDir private Path directory;

  private Path file(String tune, String rest) throws IOException {
    return Files.writeString(
        directory.resolve("tune.yaml"),
        """
        name: tuned
        host: {address: dom0}
        domains: {main: [web, db, old box 1]}
        profiles: [as-found]
        workload: {name: web-app, target: http://web/}
        users: 10
        %s
        tune: {%s}
        """
            .formatted(rest, tune));
  }

  private Experiment read(String tune) throws IOException {
    return ExperimentFiles.read(file(tune, ""));
  }

  @Test
  void readsEveryKeyAndWritesItBack() throws IOException {
    Experiment experiment =
        read(
            "goal: lowest p95, guard: {throughput: -5%, run share of db: -10%, errors: 0.5%},"
                + " within: 3%, budget: {time: 8h, windows: 500},"
                + " search: {web: {weight: 64..4096, cap: [none, 100..200]}, dom0: {weight: 256}},"
                + " loads: each");
    Tuning tuning = experiment.tuning().orElseThrow();
    assertThat(tuning.goal().lowest()).isTrue();
    assertThat(tuning.guard())
        .isEqualTo(Map.of("throughput", 0.05, "run share of db", 0.1, "errors", 0.005));
    assertThat(tuning.within()).isEqualTo(0.03);
    assertThat(tuning.confidence()).isEqualTo(0.95);
    assertThat(tuning.budget().time()).contains(Duration.ofHours(8));
    assertThat(tuning.budget().most()).hasValue(500);
    assertThat(tuning.search().get("web").get("cap")).isEqualTo(List.of("none", "100..200"));
    assertThat(tuning.search()).containsKey("Domain-0");
    assertThat(tuning.loads()).isEqualTo(Tuning.Loads.EACH);
    assertThat(experiment.design().orElseThrow().window()).isEqualTo(SwitchbackDesign.WINDOW);
    assertThat(experiment.aim().guard())
        .containsOnlyKeys("throughput", "errors", "run share of db");
    Path again = Files.writeString(directory.resolve("b.yaml"), ExperimentFiles.toYaml(experiment));
    assertThat(ExperimentFiles.read(again)).isEqualTo(experiment);
  }

  @Test
  void keepsTheTrialsThatAFileAsksFor() throws IOException {
    String tune = "goal: lowest p95, budget: {time: 8h}, " + SEARCH;
    Experiment trials = ExperimentFiles.read(file(tune, "design: {kind: trials}\nmeasure: 60s"));
    assertThat(trials.design()).isEmpty();
    Path again = Files.writeString(directory.resolve("b.yaml"), ExperimentFiles.toYaml(trials));
    assertThat(ExperimentFiles.read(again)).isEqualTo(trials);
    Experiment windows = ExperimentFiles.read(file(tune, "measure: 20s"));
    assertThat(windows.design().orElseThrow().window()).isEqualTo(Duration.ofSeconds(20));
    assertThat(TuneDesign.reasonForTrials(windows)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "budget: {time: 1h}, search: {web: {weight: 64..4096}} | goal",
        "goal: best, budget: {time: 1h} | is not a goal such as 'lowest p95'",
        "goal: lowest p95, search: {web: {weight: 64..4096}} | budget",
        "goal: lowest p95, budget: {}, search: {web: {weight: 64..4096}} | has no limit",
        "goal: lowest p95, budget: {time: 1h}, search: {} | has no parameter",
        "goal: lowest p95, budget: {time: 1h} | nothing to choose from",
        "goal: lowest p95, budget: {time: 1h}, search: {web: {weigth: 1..2}} | no scheduler has",
        "goal: lowest p95, budget: {time: 1h}, search: {web: {weight: 1..2, budget: 1ms}} | no"
            + " scheduler has weight and budget",
        "goal: lowest p95, budget: {time: 1h}, search: {www: {weight: 1..2}} | is not in 'domains'",
        "goal: lowest p95, budget: {time: 1h}, search: {web: {weight: 9..2}} | begins above its"
            + " end",
        "goal: lowest p95, budget: {time: 1h}, search: {web: {weight: a}} | is not a range",
        "goal: lowest p95, within: 0%, budget: {time: 1h}, search: {web: {weight: 1..2}} | between"
            + " 0% and 100%",
        "goal: lowest p95, guard: {speed: -5%}, budget: {time: 1h}, search: {web: {weight: 1..2}} |"
            + " guard speed is not one of",
        "goal: most users at p95 < 200ms, budget: {time: 1h}, search: {web: {weight: 1..2}} | at"
            + " least two loads",
        "goal: highest run share of www, budget: {time: 1h}, search: {web: {weight: 1..2}} | goal"
            + " names www",
      })
  void refusesWithTheWayOut(String tune, String sentence) {
    assertThatThrownBy(() -> read(tune))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "goal: lowest p95 | goal belongs in tune",
        "'controls: [as-found-twice]' | controls has no meaning with tune",
        "stop: {precision: 3%, within: {trials: 9, time: 1h}} | stop has no meaning with tune",
        "baseline: web | compares with the settings found",
      })
  void refusesWhatATuneDecides(String key, String sentence) throws IOException {
    Path written = file("goal: lowest p95, budget: {time: 1h}, " + SEARCH, key);
    assertThatThrownBy(() -> ExperimentFiles.read(written)).hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "highest run share of db",
        "lowest wait share of old box 1",
        "lowest wait share of db",
        "highest blocked share of db",
        "lowest run share of Domain-0",
        "lowest wait per request at web"
      })
  void knowsTheGoalsOfDomains(String text) throws IOException {
    TuneGoal goal = TuneGoal.parse(text);
    assertThat(goal).hasToString(text);
    assertThat(goal.aim().orElseThrow()).hasToString(text);
    assertThat(
            read("goal: " + text.replace("Domain-0", "dom0") + ", budget: {time: 1h}, " + SEARCH)
                .aim()
                .goal())
        .isEqualTo(goal.aim());
  }

  @Test
  void normalisesTheUnitsOfLimits() {
    assertThat(TuneGoal.parse("p95 < 0.2s")).hasToString("p95 < 200ms");
  }
}
