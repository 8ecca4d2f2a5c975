package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The switchback design in an experiment file, and the windows that it plans. */
class SwitchbackFilesTest {
  private static final String HEAD =
      """
      name: night
      host: {address: dom0.example}
      domains: {main: [web, db]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}}
        - {name: light, scheduler: credit, main: {weight: 128}}
      workload: {name: web-app, target: "http://web.example/"}
      users: [25, 50]
      """;

  @TempDir private Path directory;

  private Experiment read(String text) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("night.yaml"), text));
  }

  @Test
  void readsTheDesignAndWritesItOutAgain() throws IOException {
    Experiment experiment =
        read(
            HEAD
                + "design: {kind: switchback, sessions: 2, blocks: 6, window: 5s, wash-out: 1s}\n");
    assertThat(experiment.design())
        .contains(
            new SwitchbackDesign(2, 6, Duration.ofSeconds(5), Optional.of(Duration.ofSeconds(1))));
    assertThat(experiment.repetitions()).isEqualTo(12);
    assertThat(experiment.measure()).isEqualTo(Duration.ofSeconds(5));
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
  }

  @Test
  void defaultsAreThoseOfTheSchemaAndTrialsRemainTheDefaultDesign() throws IOException {
    Experiment experiment = read(HEAD + "design: {kind: switchback}\n");
    assertThat(experiment.design())
        .contains(new SwitchbackDesign(3, 10, Duration.ofSeconds(30), Optional.empty()));
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
    assertThat(read(HEAD).design()).isEmpty();
    assertThat(read(HEAD + "design: {kind: trials}\n")).isEqualTo(read(HEAD));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{kind: switchback}|repetitions: 3|repetitions has no meaning in a switchback design",
        "{kind: switchback}|measure: 60s|measure has no meaning in a switchback design: use its"
            + " window",
        "{kind: switchback}|stop: {}|stop has no meaning in a switchback design",
        "{kind: switchback}|order: as-written|and 'order: as-written' has no blocks",
        "{kind: switchback, window: 500ms}||must be from 1s to 1h",
        "{kind: switchback, wash-out: soon}||needs a unit",
        "{kind: switchback, sessions: 0}||is out of range",
        "{kind: trials, window: 10s}||window of design needs 'kind: switchback'",
        "{sessions: 3}||'kind' of design is missing",
        "{kind: crossover}||is not one of trials, switchback",
      })
  void refusesWhatMakesNoSenseInOneSentence(String design, String more, String sentence) {
    String text = HEAD + "design: " + design + "\n" + Optional.ofNullable(more).orElse("") + "\n";
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining(sentence)
        .satisfies(fault -> assertThat(fault.getMessage().lines()).hasSize(1));
  }

  @Test
  void refusesASingleProfile() {
    String text =
        HEAD.replaceAll("(?m)^  - \\{.*\n", "") + "design: {kind: switchback, blocks: 4}\n";
    assertThatThrownBy(() -> read(text)).hasMessageContaining("there is only one");
  }

  @Test
  void everyBlockHasAWindowOfEachProfileAndTheSettingsFoundTwice() throws IOException {
    Experiment experiment =
        read(
            HEAD
                + "controls: [as-found-twice]\n"
                + "design: {kind: switchback, sessions: 2, blocks: 4, window: 5s}\n");
    List<Trial> plan = Plan.of(experiment);
    assertThat(plan).hasSize(2 * 2 * 4 * 4);
    assertThat(plan.stream().collect(Collectors.groupingBy(SwitchbackFilesTest::block)).values())
        .hasSize(2 * 2 * 4)
        .allSatisfy(
            block ->
                assertThat(block)
                    .extracting(Trial::profile)
                    .containsExactlyInAnyOrder("as-found", "heavy", "light", "as-found-twice"));
    assertThat(
            plan.stream()
                .map(one -> List.of(one.profile(), one.load(), one.repetition()))
                .collect(Collectors.toSet()))
        .hasSameSizeAs(plan);
    assertThat(plan.stream().map(Trial::slug).distinct()).hasSameSizeAs(plan);
    assertThat(plan).isEqualTo(Plan.of(experiment)).isNotEqualTo(Plan.of(experiment.seeded(2)));
  }

  private static List<Object> block(Trial trial) {
    WindowPlace place = trial.place().orElseThrow();
    return List.of(trial.load(), place.session(), place.block());
  }

  @Test
  void profilesOfAnotherSchedulerHaveSessionsOfTheirOwnBoot() throws IOException {
    Experiment experiment =
        read(
            HEAD.replace(
                    "workload:",
                    """
                      - {name: fair, scheduler: sedf, main: {period: 100ms, slice: 40ms}}
                      - {name: slow, scheduler: sedf, main: {period: 90ms, slice: 9ms}}
                    workload:\
                    """)
                + "design: {kind: switchback, sessions: 1, blocks: 2}\n");
    Function<Trial, Object> session = one -> List.of(one.load(), one.place().get().session());
    assertThat(
            Plan.of(experiment).stream()
                .collect(
                    Collectors.groupingBy(
                        session, Collectors.mapping(Trial::profile, Collectors.toSet())))
                .values())
        .hasSize(4)
        .allSatisfy(
            profiles ->
                assertThat(List.of("as-found heavy light", "fair slow"))
                    .contains(profiles.stream().sorted().collect(Collectors.joining(" "))));
  }
}
