package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines.Said;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.RecordedRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects runs whose loads differ in their part: every label and every filter has the part. */
class PartSweepTest {
  private static final String EXPERIMENT =
      """
      name: queries
      host: {address: dom0.example}
      domains: {main: [web, db]}
      profiles:
        - {name: w256, scheduler: credit, main: {weight: 256}}
        - {name: w1024, scheduler: credit, main: {weight: 1024}}
      workload:
        name: tpch
        database: "jdbc:postgresql://db/bench"
        database-user: bench
        each: query
        queries: [q06, q14]
      users: 1
      repetitions: 3
      """;

  @TempDir private Path directory;
  private String run;

  @BeforeEach
  void record() {
    RecordedRun recorded = RecordedRun.begin(directory.resolve("run"), EXPERIMENT);
    int number = 1;
    for (int block = 1; block <= 3; block++) {
      for (String part : List.of("q06", "q14")) {
        for (String profile : List.of("w256", "w1024")) {
          double millis = (part.equals("q06") ? 100 : 300) + block;
          Trial trial = new Trial(number++, block, profile, Load.of(1).only(part), block);
          recorded.trial(trial, 1000 / millis, millis, List.of());
        }
      }
    }
    run = recorded.end().root().toString();
  }

  @Test
  void noTwoSamplesOfOpenMetricsHaveTheSameLabels() {
    String text = CommandLines.run("report", run, "--format", "openmetrics").out();
    assertThat(text).contains("profile=\"w256\",users=\"1\",part=\"q06\"");
    assertThat(text.lines().filter(line -> line.contains("{")))
        .extracting(line -> line.substring(0, line.lastIndexOf('}')))
        .doesNotHaveDuplicates();
  }

  @Test
  void whereSelectsAPart() {
    assertThat(CommandLines.run("report", run, "--where", "part=q14", "--format", "csv").out())
        .startsWith("profile,users,part,domain,")
        .contains("w1024,1,q14,")
        .doesNotContain("q06");
    assertThat(CommandLines.run("report", run, "--where", "part=q99").err())
        .contains("the run has no cell of part q99", "it has users 1, part q06, q14 and profiles");
    assertThat(CommandLines.run("report", run, "--where", "query=q06").err())
        .contains(
            "users=N, rate=N, scale=N, guests=N, neighbours=N, part=NAME, profile=NAME or domain=NAME");
  }

  @Test
  void aComparisonSelectsAPart() {
    Said said =
        CommandLines.run("compare", run, "--to", "w256", "--part", "q06", "--format", "csv");
    assertThat(said.out()).as(said.err()).contains("q06").doesNotContain("q14");
    assertThat(CommandLines.run("compare", run, "--users", "x").err()).contains("--users");
  }
}
