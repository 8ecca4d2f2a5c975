package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds what {@code tune --replay} reads, prints and refuses. */
class TuneCommandTest {
  private static final String STUDY = "src/test/resources/published/devine-2010-web-app.csv";
  private static final String TINY =
      """
      remark,stddev,metric,users,profile,mean
      none,2,p95,10,fast,40
      none,3,p95,10,slow,60
      """;

  @TempDir private Path directory;

  @Test
  void printsJsonWithTheFieldsThatOthersRead() throws IOException {
    Said said = tune(STUDY, "--replications", "20", "--cv", "4.5%", "--format", "json");
    assertThat(said.exit()).as(said.err()).isZero();
    JsonNode loads = Json.mapper().readTree(said.out()).get("loads");
    assertThat(loads)
        .extracting(load -> load.get("users").asInt())
        .containsExactly(25, 50, 100, 500, 800);
    assertThat(loads.get(0).get("methods"))
        .extracting(method -> method.get("name").asText())
        .containsExactly("slicewise", "grid", "sequential-halving", "equal-allocation");
    assertThat(loads.get(0).get("methods").get(0).fieldNames())
        .toIterable()
        .containsExactly("name", "runs", "goodSelection", "expectedLoss", "falseClaims", "claims");
  }

  @Test
  void sameSeedPrintsTheSame() {
    String[] options = {"--replications", "30", "--noise", "session", "--runs", "4", "--seed", "9"};
    assertThat(tune(STUDY, options).out()).isEqualTo(tune(STUDY, options).out());
  }

  @Test
  void readsAnyTableOfTheForm() throws IOException {
    Said said = tune(table(TINY), "--replications", "20", "--goal", "lowest p95");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out())
        .contains("Lowest p95, lognormal noise, 20 replications, seed 1.")
        .containsPattern("10  slicewise +\\d\\.\\d +100\\.0 %");
  }

  @Test
  void refusesWhatItCannotReplay() throws IOException {
    refused("has no columns profile, users", tune(table("metric,mean,stddev\n")));
    refused("has no metric p99; its metrics are p95", tune(table(TINY), "--goal", "lowest p99"));
    refused("--goal 'p95' has no direction", tune(table(TINY), "--goal", "p95"));
    refused("--runs 1 is below the 2 profiles at 10 users", tune(table(TINY), "--runs", "1"));
    refused("--replications 0 is below 1", tune(table(TINY), "--replications", "0"));
    refused(":2: mean 0 is not above 0", tune(table(TINY.replace("40", "0"))));
    refused("fast is listed twice at 10 users", tune(table(TINY.replace("slow", "fast"))));
    refused("has no stddev for slow at 10 users", tune(table(TINY.replace("none,3", "none,"))));
    refused("has one profile at 11 users", tune(table(TINY.replace("10,slow", "11,slow"))));
  }

  private static void refused(String why, Said said) {
    assertThat(said.err()).contains(why);
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
  }

  private String table(String text) throws IOException {
    return Files.writeString(directory.resolve("table.csv"), text).toString();
  }

  private static Said tune(String table, String... options) {
    return CommandLines.run(
        Stream.concat(Stream.of("tune", "--replay", table), Stream.of(options))
            .toArray(String[]::new));
  }
}
