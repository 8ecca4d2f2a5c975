package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects {@code plan FILE --traffic LOG}: what pairs would need, from a log that a site has. */
class PlanOnTrafficTest {
  private static final Path RECORDED = Path.of("src/test/resources/load/access");

  @TempDir private Path directory;

  private String experiment(String log) throws IOException {
    return Files.writeString(
            directory.resolve("site.yaml"),
            """
            name: site
            host: {address: nowhere.invalid, dead-man: 1m}
            domains: {main: [web]}
            profiles:
              - as-found
              - {name: heavy, scheduler: credit2, main: {weight: 512}}
            workload:
              name: traffic
              log: %s
            design: {kind: pairs, window: 10s, wash-out: 2s}
            goal: lowest outcome geometric-mean
            """
                .formatted(log))
        .toString();
  }

  /** Writes the log of a site with 20 requests a second for an hour; returns its lines. */
  private List<String> site(double scatter) throws IOException {
    Random random = new Random(7);
    List<String> lines = new ArrayList<>();
    double slow = 0;
    for (int request = 0; request < 72_000; request++) {
      if (request % 200 == 0) {
        slow = scatter * random.nextGaussian();
      }
      double start = 1_700_000_000 + request / 20.0;
      double seconds = 0.05 * Math.exp(slow + 0.3 * random.nextGaussian());
      lines.add(
          String.format(
              Locale.ROOT, "%.3f %.3f - 200 GET site 500 \"/page\"", start + seconds, seconds));
    }
    Files.write(directory.resolve("site.log"), lines);
    return lines;
  }

  @Test
  void showsRateAndPairsOfEachMetricWithoutAHost() throws IOException {
    site(0.1);
    Said said =
        CommandLines.run(
            "plan",
            experiment("{path: /none, format: nginx}"),
            "--traffic",
            directory.resolve("site.log").toString());
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out())
        .contains("72000 requests in 59 m 59 s", "20.0/s", "0 lines not understood")
        .contains("299 of 299 count", "mean", "outcome geometric-mean (goal)", "p50", "p95");
    assertThat(needed(said, "mean")).hasSize(3);
    assertThat(needed(said, "mean").get(0)).isGreaterThan(needed(said, "mean").get(1));
    assertThat(needed(said, "mean").get(1)).isGreaterThan(needed(said, "mean").get(2));
    // A window of 10 s has 200 requests, as many as p95 needs; none of those here has fewer.
    assertThat(said.out().lines().filter(line -> line.startsWith("p95")).findFirst())
        .get()
        .asString()
        .contains("149");
  }

  @Test
  void aSiteThatScattersMoreNeedsMorePairs() throws IOException {
    String file = experiment("{path: /none, format: nginx}");
    String log = directory.resolve("site.log").toString();
    site(0.02);
    List<Integer> calm = needed(CommandLines.run("plan", file, "--traffic", log), "mean");
    site(0.2);
    List<Integer> wild = needed(CommandLines.run("plan", file, "--traffic", log), "mean");
    assertThat(wild.get(2)).isGreaterThan(calm.get(2));
    // Pairs without scatter need 8.
    assertThat(calm.get(2)).isBetween(8, 12);
  }

  @Test
  void aLogThatBreaksItsOwnLimitsSaysSoBeforehand() throws IOException {
    List<String> lines = site(0.1);
    String file = experiment("{path: /none, format: nginx}");
    String log = directory.resolve("site.log").toString();
    assertThat(CommandLines.run("plan", file, "--traffic", log).out())
        .doesNotContain("Errors", "Times");
    for (int i = 0; i < lines.size(); i += 20) {
      lines.set(i, lines.get(i).replace(" 200 GET", " 503 GET"));
    }
    Files.write(directory.resolve("site.log"), lines);
    assertThat(CommandLines.run("plan", file, "--traffic", log).out())
        .contains("Errors  5.00 % of the requests failed", "'limits: errors' allows (0.50 %)")
        .containsPattern("Guard   would end \\d+ of 299 windows early")
        .contains("since too many requests failed for 10 s");
  }

  @Test
  void saysThatTimesOfWholeSecondsAreUncertain() throws IOException {
    List<String> lines = site(0.1);
    lines.replaceAll(line -> line.replaceFirst("\\.[0-9]{3} ", ".000 "));
    Files.write(directory.resolve("site.log"), lines);
    assertThat(
            CommandLines.run(
                    "plan",
                    experiment("{path: /none, format: nginx}"),
                    "--traffic",
                    directory.resolve("site.log").toString())
                .out())
        .contains("Times   times in the log are whole seconds");
  }

  @Test
  void pairsWithoutTheMetricAreNeededTooSinceTheyTakeTheirTime() throws IOException {
    List<String> lines = site(0.1);
    // Every third window of 10 s has fewer than the 200 requests of a p95.
    List<String> fewer = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (i / 240 % 3 > 0 || i % 4 != 1) {
        fewer.add(lines.get(i));
      }
    }
    String file = experiment("{path: /none, format: nginx}");
    String log = directory.resolve("site.log").toString();
    int all = needed(CommandLines.run("plan", file, "--traffic", log), "p95").get(2);
    Files.write(directory.resolve("site.log"), fewer);
    assertThat(needed(CommandLines.run("plan", file, "--traffic", log), "p95").get(2))
        .isGreaterThan(2 * all);
  }

  private static List<Integer> needed(Said said, String metric) {
    String row =
        said.out().lines().filter(line -> line.startsWith(metric)).findFirst().orElseThrow();
    String pairs = row.substring(row.indexOf('%') + 1).strip();
    return pairs
        .replace("> ", "")
        .lines()
        .flatMap(line -> java.util.Arrays.stream(line.split("\\s+")))
        .map(Integer::valueOf)
        .toList();
  }

  @Test
  void refusesALogWithoutDurationsWithTheLineToAdd() throws IOException {
    Said said =
        CommandLines.run(
            "plan",
            experiment("{path: /none, format: nginx}"),
            "--traffic",
            RECORDED.resolve("nginx-combined.log.gz").toString());
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("combined", "has no duration", "log_format slicewise");
  }

  @Test
  void refusesAFileThatIsMissingAndAnExperimentWithoutTraffic() throws IOException {
    Said missing =
        CommandLines.run(
            "plan", experiment("{path: /none, format: nginx}"), "--traffic", "/nowhere.log");
    assertThat(missing.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(missing.err()).contains("/nowhere.log cannot be read");
    Said other = CommandLines.run("plan", "experiments/web-app.yaml", "--traffic", "/nowhere.log");
    assertThat(other.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(other.err()).contains("this experiment is none", "slicewise init traffic");
  }
}
