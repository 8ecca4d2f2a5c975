package io.slicewise.sweep.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of a study with neighbours belongs to the trial beside as many, and to no other. */
class MatchesTest {
  private static final String STUDY =
      """
      name: study
      host: {address: dom0.example}
      domains: {main: [db]}
      profiles: [{name: w, scheduler: credit, main: {weight: 256}}]
      workload: {name: tpcb, database: "jdbc:postgresql://db/b", interference: [0, 2]}
      users: 4
      repetitions: 1
      """;

  @TempDir private Path directory;
  private Experiment experiment;

  @BeforeEach
  void lay() throws IOException {
    Path file = directory.resolve("study.yaml");
    Files.writeString(file, STUDY);
    experiment = ExperimentFiles.read(file);
    Path old = Files.createDirectories(directory.resolve("old/w"));
    for (String name : new String[] {"0-1.jtl", "2-1.jtl", "3-1.jtl"}) {
      Files.writeString(old.resolve(name), name);
    }
  }

  private Matches matches(String names) {
    return Matches.of(
        experiment, FilePattern.of(directory.resolve("old") + "/" + names, FileNames.NONE));
  }

  @Test
  void tellsTrialsApartByTheirNeighbours() {
    Matches matches = matches("{profile}/{neighbours}-{repetition}.jtl");
    Map<Load, String> files =
        matches.files().entrySet().stream()
            .collect(
                Collectors.toMap(
                    entry -> entry.getKey().load(),
                    entry -> entry.getValue().get(0).getFileName().toString()));
    assertThat(files)
        .containsOnly(
            Map.entry(Load.beside(0, 4), "0-1.jtl"), Map.entry(Load.beside(2, 4), "2-1.jtl"));
    assertThat(matches.missing()).isEmpty();
    assertThat(matches.strange())
        .singleElement()
        .asString()
        .endsWith("3-1.jtl: the experiment has no load with 3 neighbours");
  }

  @Test
  void saysThatAPatternWithoutThemDoesNot() {
    Matches matches = matches("{profile}/*-{repetition}.jtl");
    assertThat(matches.files()).isEmpty();
    assertThat(matches.missing()).extracting(Trial::load).contains(Load.beside(2, 4));
    assertThat(matches.strange())
        .hasSize(3)
        .allMatch(why -> why.contains("the pattern has no {neighbours}"));
  }

  /** Files have the repetition a, and none the profile. */
  @Test
  void tellsANameThatOnlyAnotherPartOfThePatternBears() throws IOException {
    Files.writeString(directory.resolve("old/w/0-a.jtl"), "");
    FileNames names = new FileNames(Map.of("a", "w"), Map.of(), Map.of("a", 1));
    Matches matches =
        Matches.of(
            experiment,
            FilePattern.of(directory.resolve("old") + "/{profile}/*-{repetition}.jtl", names));
    assertThat(matches.idle()).containsExactly("--profile-name a");
  }

  @Test
  void saysWhyADirectoryCannotBeRead() {
    FilePattern nowhere =
        FilePattern.of(directory + "/none/{profile}-{repetition}.jtl", FileNames.NONE);
    assertThatThrownBy(() -> Matches.of(experiment, nowhere))
        .hasMessage(directory + "/none cannot be read: there is no such file");
  }
}
