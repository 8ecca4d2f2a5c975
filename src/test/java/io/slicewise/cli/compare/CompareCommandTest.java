package io.slicewise.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.ReportTestCase;
import org.apache.maven.plugins.surefire.report.ReportTestSuite;
import org.apache.maven.plugins.surefire.report.TestSuiteXmlParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what a nightly job relies on: the exit codes of {@code compare}, the same facts in every
 * form, and that runs which measured different things are not compared in silence.
 */
class CompareCommandTest {
  private static final List<String> PROFILES = List.of("w256", "again", "w512", "both");

  @TempDir private Path directory;

  /** The p95 of each profile is 200 ms times its factor, give or take half a percent. */
  private RecordedRun run(String name, String experiment, int blocks, double... factors) {
    RecordedRun run = RecordedRun.begin(directory.resolve(name), experiment);
    Random random = new Random(name.hashCode());
    int number = 1;
    for (int block = 1; block <= blocks; block++) {
      for (int users : List.of(50, 300)) {
        for (int i = 0; i < factors.length; i++) {
          double p95 = 200 * factors[i] * Math.exp(0.005 * random.nextGaussian());
          run.trial(number++, PROFILES.get(i), users, block, users * 1000 / p95, p95);
        }
      }
    }
    return run;
  }

  private String finished(String name, int blocks, double... factors) {
    return run(name, RecordedRun.EXPERIMENT, blocks, factors).end().root().toString();
  }

  private Said compare(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "compare";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 2] = "--baselines";
    all[all.length - 1] = directory.resolve("baselines").toString();
    return CommandLines.run(all);
  }

  @Test
  void tellsEachProfileWithFootnotesAndControl() {
    Said said = compare(finished("night", 6, 1, 1, 0.8, 1.018));
    assertThat(said.out()).doesNotContain("have finished");
    assertThat(compare(finished("part", 2, 1, 1, 0.8, 1.018)).out())
        .contains("warning  16 of 48 trials have finished so far");
    assertThat(said.exit()).isZero();
    assertThat(said.out().lines().findFirst().orElseThrow()).startsWith("UNDECIDED: both at ");
    assertThat(said.out())
        .containsPattern("w512 +50 +p95 ms +200 +160 +-\\d\\d\\.\\d \\[-2.*<0.001 +BETTER")
        .containsPattern("both +300 +p95 ms .* unclear \\d")
        .containsPattern("A/A again +50 .*no false alarm")
        .contains("band +-2 %; Holm over 4 comparisons of p95")
        .contains("more blocks of both cells (");
    assertThat(said.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void aRankTestThatCannotReachFivePerCentIsNotMentioned() {
    String[] three = {finished("one", 3, 1, 1), finished("two", 3, 0.8, 0.8)};
    assertThat(compare(three).out()).contains("BETTER").doesNotContain("rank test");
    assertThat(compare(three[0], three[1], "--format", "csv").out().lines().skip(1))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).matches(".*,,(better|worse|same|unclear),.*"));
  }

  @Test
  void exitCodesFollowTheAskedForSetting() {
    String run = finished("night", 6, 1, 1, 0.8, 1.3);
    assertThat(compare(run, "--fail-on", "worse").exit()).isEqualTo(ExitCode.WORSE.code());
    assertThat(compare(run, "--fail-on", "worse", "--profile", "w512").exit()).isZero();
    assertThat(compare(run).exit()).isZero();
    String close = finished("close", 4, 1, 1, 1.018, 1);
    assertThat(compare(close, "--fail-on", "worse", "--profile", "w512").exit()).isZero();
    assertThat(compare(close, "--fail-on", "undecided", "--profile", "w512").exit())
        .isEqualTo(ExitCode.UNDECIDED.code());
    String alarmed = finished("alarmed", 6, 1, 1.2, 0.8, 0.9);
    Said control = compare(alarmed, "--fail-on", "worse");
    assertThat(control.exit()).isEqualTo(ExitCode.CONTROL_FAILED.code());
    assertThat(control.out()).contains("FALSE ALARM", "no verdict below is evidence");
    String empty = finished("empty", 0);
    assertThat(compare(empty).exit()).isEqualTo(ExitCode.NO_VALID_DATA.code());
    assertThat(compare(run, "--to", "w1").exit()).isEqualTo(ExitCode.USAGE.code());
  }

  @Test
  void guardHoldsOrIsBroken() {
    String run = finished("night", 6, 1, 1, 0.8, 1.3);
    String[] asked = {run, "--metric", "p95", "--fail-on", "worse", "--guard", "throughput=5%"};
    Said broken = compare(with(asked, "--profile", "both"));
    assertThat(broken.out())
        .startsWith("WORSE: both at 50, 300 users; a guard is broken (throughput of both at 50, ")
        .contains("GUARD BROKEN", "guard: throughput not worse by more than 5 %");
    Said holds = compare(with(asked, "--profile", "w512"));
    assertThat(holds.exit()).isZero();
    assertThat(holds.out()).contains("guard met");
    assertThat(compare(run, "--guard", "error=5%").err()).contains("'error=5%' is not a metric");
    assertThat(compare(run, "--metric", "errors").err()).contains("errors have no ratio");
  }

  @Test
  void aLoadThatTheRunDoesNotHaveIsRefused() {
    String run = finished("night", 2, 1, 1, 0.8);
    for (Said said :
        List.of(compare(run, "--users", "60"), compare(run, run, "--neighbours", "1"))) {
      assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
      assertThat(said.err()).contains("no such load", "it has 50 users, 300 users");
    }
  }

  @Test
  void aGuardOnTheMetricThatDecidesHidesNoVerdict() {
    String run = finished("night", 6, 1, 1, 0.8, 1.3);
    Said said = compare(run, "--metric", "p95", "--guard", "p95=50%", "--profile", "both");
    assertThat(said.out()).containsPattern("both +50 +p95 ms .* WORSE, guard met");
  }

  @Test
  void whatOneOfTwoRunsHasAloneOrExcludedIsTold() {
    String first = finished("first", 3, 1, 1, 0.8, 1.1);
    String experiment =
        RecordedRun.EXPERIMENT.replace("name: both", "name: new").replace("[50, 300]", "[50, 100]");
    RecordedRun second = RecordedRun.begin(directory.resolve("second"), experiment);
    for (int block = 1; block <= 4; block++) {
      List<String> reasons = block == 2 ? List.of("errors 3 % > 0.5 %") : List.of();
      second.trial(block, "w512", 50, block, 100, 160 + block, reasons);
    }
    String now = second.end().root().toString();
    // Warnings are wrapped.
    assertThat(compare(first, now).out().replaceAll("\\s+", " "))
        .contains("only in first, not compared: both at 50 users, w256 at 300 users,")
        .contains("only in second, not compared: new at 50 users, w256 at 100 users,")
        .contains("no A/A control in second:")
        .contains("4 of 48 trials of second have finished so far")
        .contains("1 of 4 trials of second are excluded")
        .doesNotContain("trials of first are excluded");
    assertThat(compare(first, now, "--profile", "w512", "--users", "50").out())
        .doesNotContain("compared with nothing");
  }

  @Test
  void profilesOfTwoSchedulersAreToldToShareNoBoot() {
    String experiment =
        RecordedRun.EXPERIMENT.replace(
            "name: both, scheduler: credit, main: {weight: 1024}, other: {weight: 128}",
            "name: slices, scheduler: sedf, main: {period: 100ms, slice: 30ms}");
    Path root = directory.resolve("boots");
    SyntheticRun.write(root, experiment, 4, 20_000, List.of("page"));
    assertThat(compare(root.toString()).out().replaceAll("\\s+", " "))
        .contains("w512 under credit; slices under sedf, separated by a reboot");
    assertThat(compare(root.toString(), "--profile", "w512").out()).doesNotContain("reboot");
    assertThat(CommandLines.run("recommend", root.toString()).out()).contains("Boots ");
  }

  @Test
  void guardOnErrorsBoundsTheShareOfFailedRequests() throws Exception {
    String guarded = RecordedRun.EXPERIMENT + "guard: {errors: 2%}\n";
    String first = failing("first", guarded, 10, 10, 10).root().toString();
    String run = failing("night", guarded, 10, 1, 50).root().toString();
    String[] asked = {run, "--profile", "w512", "--fail-on", "undecided"};
    Said holds = compare(asked);
    assertThat(holds.exit()).isZero();
    assertThat(holds.out())
        .containsPattern("w512 +50 +errors % +1\\.00 +0\\.10 +-- +-- +guard met")
        .contains("guard: errors at most 2 %");
    asked[2] = "both";
    Said broken = compare(asked);
    assertThat(broken.exit()).isEqualTo(ExitCode.WORSE.code());
    assertThat(broken.out())
        .startsWith("WORSE: a guard is broken (errors of both at 50, 300 users)\n")
        .containsPattern("both +50 +errors % +1\\.00 +5\\.00 +-- +-- +GUARD BROKEN 1")
        .contains("1  errors 5.00 % [5.00, 5.00], 2 % allowed");
    Said own = compare(with(asked, "--guard", "errors=6%"));
    assertThat(own.exit()).isZero();
    Path file = directory.resolve("compare.xml");
    Said nights = compare(first, run, "--fail-on", "worse", "--junit", file.toString());
    assertThat(nights.exit()).isEqualTo(ExitCode.WORSE.code());
    assertThat(nights.out()).containsPattern("both +300 +errors % +1\\.00 +5\\.00 .*GUARD BROKEN");
    assertThat(parsed(file).getTestCases())
        .filteredOn(ReportTestCase::hasFailure)
        .extracting(ReportTestCase::getName)
        .containsExactly("guard both, 50 users, errors", "guard both, 300 users, errors");
  }

  @Test
  void aGuardOnErrorsThatOneTrialMustDecideIsUnclear() {
    RecordedRun single = RecordedRun.begin(directory.resolve("single"), RecordedRun.EXPERIMENT);
    single.failing(1, "w256", 50, 1, 100, 200, 0).failing(2, "w512", 50, 1, 100, 200, 1);
    String[] asked = {single.end().root().toString(), "--profile", "w512", "--guard", "errors=1%"};
    assertThat(compare(asked).out())
        .containsPattern("w512 +50 +errors % +0\\.00 +0\\.10 +-- +-- +guard unclear 2")
        .contains("errors 0.10 % [–, –], 1 % allowed");
  }

  @Test
  void whatAllRowsOfATooWideTableHaveIsBelowIt() {
    String name = "w".repeat(60);
    RecordedRun run =
        RecordedRun.begin(directory.resolve("wide"), RecordedRun.EXPERIMENT.replace("w512", name));
    for (int block = 1; block <= 2; block++) {
      run.failing(2 * block - 1, "w256", 50, block, 100, 200 + block, 0)
          .failing(2 * block, name, 50, block, 90, 210 - block, 0);
    }
    String[] asked = {run.end().root().toString(), "--profile", name, "--guard", "errors=1%"};
    assertThat(compare(asked).out())
        .containsPattern("\n +50 +p95 ms +\\S+ +\\S+ +.* +0\\.\\d+ +unclear 1\n")
        .containsPattern("\n +50 +throughput /s +100 +90\\.0 ")
        .contains("\n  in every row: setting " + name + "\n");
  }

  /** Six blocks in which so many of a thousand requests failed under each profile. */
  private RunDirectory failing(String name, String experiment, int base, int w512, int both) {
    RecordedRun run = RecordedRun.begin(directory.resolve(name), experiment);
    int number = 1;
    for (int block = 1; block <= 6; block++) {
      for (int users : List.of(50, 300)) {
        double p95 = 200 + block % 2 * 0.1;
        run.failing(number++, "w256", users, block, 100, p95, base);
        run.failing(number++, "w512", users, block, 100, p95, w512);
        run.failing(number++, "both", users, block, 100, p95, both);
      }
    }
    return run.end();
  }

  @Test
  void whatCannotBeComparedIsUndecidedAndNotFine() {
    String run = finished("night", 6, 1, 1, 0.8, 1.3);
    String[] asked = {run, "--profile", "w512", "--fail-on", "undecided"};
    assertThat(compare(asked).exit()).isZero();
    Said unknown = compare(with(asked, "--guard", "p99=5%"));
    assertThat(unknown.exit()).isEqualTo(ExitCode.UNDECIDED.code());
    assertThat(unknown.out())
        .startsWith("UNDECIDED: a guard is unclear (p99 not known)\n")
        .contains("guard: p99 not worse by more than 5 %; UNKNOWN in some cells");

    RecordedRun lost = RecordedRun.begin(directory.resolve("lost"), RecordedRun.EXPERIMENT);
    int number = 1;
    for (int block = 1; block <= 6; block++) {
      for (int users : List.of(50, 300)) {
        List<String> reasons = users == 50 ? List.of() : List.of("errors 3 % > 0.5 %");
        lost.trial(number++, "w256", users, block, 100, 200 + block);
        lost.trial(number++, "w512", users, block, 120, 160 + block, reasons);
      }
    }
    asked[0] = lost.end().root().toString();
    Said missing = compare(asked);
    assertThat(missing.exit()).isEqualTo(ExitCode.UNDECIDED.code());
    assertThat(missing.out())
        .startsWith("UNDECIDED: w512 at 300 users")
        .contains("not compared, no valid trials: w512 at 300 users");
    String[] nights = {run, asked[0], "--profile", "w512", "--fail-on", "undecided"};
    assertThat(compare(nights).out()).contains("no valid trials: w512 at 300 users");
  }

  private static String[] with(String[] arguments, String... more) {
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return all;
  }

  @Test
  void comparesTwoNightsAndABaselineThatOutlivesItsRun() throws IOException {
    String first = finished("first", 6, 1, 1, 0.8, 1.1);
    String second = finished("second", 6, 1, 1, 0.96, 1.1);
    Said nights = compare(first, second, "--fail-on", "worse");
    assertThat(nights.exit()).isEqualTo(ExitCode.WORSE.code());
    assertThat(nights.out())
        .contains("shop: first -> second", "WORSE: w512 at 50, 300 users")
        .contains("warning  two runs share no block")
        .containsPattern("w256 +50 .* same")
        .containsPattern("A/A before, again +50 ");

    Said saved = compare(first, "--save-baseline", "main");
    assertThat(saved.exit()).isZero();
    assertThat(saved.err()).contains("baseline main stored");
    delete(Path.of(first));
    Said stored = compare(second, "--baseline", "main", "--fail-on", "worse");
    assertThat(stored.exit()).isEqualTo(ExitCode.WORSE.code());
    assertThat(table(stored.out())).isEqualTo(table(nights.out()));
    assertThat(compare(second, "--baseline", "other").err()).contains("available: main");
    assertThat(compare(second, "--save-baseline", "../main").exit())
        .isEqualTo(ExitCode.USAGE.code());
  }

  private static List<String> table(String text) {
    return text.lines()
        .filter(line -> line.contains("p95 ms") || line.contains("throughput /s"))
        .toList();
  }

  private static void delete(Path run) throws IOException {
    try (Stream<Path> files = Files.walk(run)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Before, another metric decided without a word. */
  @Test
  void aGoalThatTrialsDoNotKnowIsReplacedAloud() {
    String aimed = RecordedRun.EXPERIMENT + "goal: p99 < 900ms\n";
    String first = run("first", aimed, 2, 1, 1, 0.8, 1.1).end().root().toString();
    String second = run("second", aimed, 1, 1, 1, 0.8, 1.1).end().root().toString();
    String here =
        "decided by p95: the goal's p99 is unknown in 16 of 16 trials, which have fewer than 1,000"
            + " samples";
    assertThat(spaced(compare(first))).contains(here);
    assertThat(spaced(compare(first, "--metric", "p95"))).doesNotContain("decided by");
    assertThat(spaced(CommandLines.run("report", first))).contains(here);
    assertThat(spaced(compare(first, second)))
        .contains("decided by p95: in first, the goal's p99 is unknown in 16 of 16 trials,")
        .contains("decided by p95: in second, the goal's p99 is unknown in 8 of 8 trials,");
  }

  private static String spaced(Said said) {
    return said.out().replaceAll("\\s+", " ");
  }

  @Test
  void refusesRunsThatMeasuredDifferentThings() {
    String first = finished("first", 3, 1, 1, 0.8, 1.1);
    String longer = RecordedRun.EXPERIMENT + "measure: 5m\n";
    String second = run("second", longer, 3, 1, 1, 0.8, 1.1).end().root().toString();
    Said refused = compare(first, second);
    assertThat(refused.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(refused.err()).contains("measure 3m / 5m", "--accept-differences");
    Said accepted = compare(first, second, "--accept-differences");
    assertThat(accepted.exit()).isZero();
    assertThat(accepted.out()).contains("warning  the runs measured different things: measure 3m");
  }

  @Test
  void refusesOtherOptionsOfTheWorkloadUnlessABaselineNeverKeptThem() throws IOException {
    String small = tpcb("small", 10);
    String large = tpcb("large", 100);
    assertThat(compare(small, large).err())
        .contains("small and large measured different things: option scale 10 / 100");
    compare(small, "--save-baseline", "main");
    assertThat(compare(large, "--baseline", "main").err()).contains("option scale 10 / 100");

    Path baseline = directory.resolve("baselines/main.json");
    String kept = Files.readString(baseline);
    String old = kept.replaceAll("\\s*\"option [^\\n]*", "");
    assertThat(old).isNotEqualTo(kept);
    Files.writeString(baseline, old);
    Said compared = compare(large, "--baseline", "main");
    assertThat(compared.exit()).isZero();
    assertThat(compared.out())
        .contains("warning  these options of the workload are unknown for one run:")
        .doesNotContain("measured different things");
  }

  private String tpcb(String name, int scale) {
    String experiment =
        RecordedRun.EXPERIMENT.replaceFirst(
            "workload: .*",
            "workload: {name: tpcb, database: 'jdbc:postgresql://db/bench', scale: " + scale + "}");
    return run(name, experiment, 3, 1, 1, 0.8, 1.1).end().root().toString();
  }

  @Test
  void warnsOfAnotherHostAndOfAnotherProfileOfTheSameName() {
    String first = finished("first", 3, 1, 1, 0.8, 1.1);
    String second =
        run(
                "second",
                RecordedRun.EXPERIMENT.replace("weight: 512", "weight: 768"),
                3,
                1,
                1,
                0.8,
                1.1)
            .on(HypervisorVersion.of(4, 18), 16)
            .end()
            .root()
            .toString();
    assertThat(compare(first, second).out())
        .contains("warning  not the same host: Xen 4.17 / 4.18")
        .contains("warning  profile w512 sets something else in first");
  }

  @Test
  void jsonCsvAndMarkdownTellTheSameFacts() throws IOException {
    String run = finished("night", 6, 1, 1, 0.8, 1.3);
    JsonNode json =
        Json.mapper().readTree(compare(run, "--format", "json", "--fail-on", "worse").out());
    assertThat(json.at("/overall").asText()).isEqualTo("worse");
    assertThat(json.at("/exitCode").asInt()).isEqualTo(10);
    JsonNode first = json.at("/comparison/comparisons/3");
    assertThat(first.at("/metric").asText()).isEqualTo("p95");
    String csv = compare(run, "--format", "csv").out();
    assertThat(csv)
        .startsWith("profile,users,metric,kind,")
        .contains("w512,50,p95,primary,true,6," + first.at("/baselineMean").asText());
    assertThat(compare(run, "--format", "markdown").out())
        .startsWith("**WORSE: both at 50, 300 users**")
        .contains("| w512 | 50 | p95 ms |");
  }

  @Test
  void surefireReadsTheXml() throws Exception {
    String run = finished("night", 6, 1, 1, 1.018, 1.3);
    Path file = directory.resolve("compare.xml");
    compare(run, "--junit", file.toString(), "--guard", "throughput=5%");
    ReportTestSuite suite = parsed(file);
    assertThat(suite.getNumberOfTests()).isEqualTo(4 + 4 + 2);
    assertThat(suite.getTestCases())
        .filteredOn(ReportTestCase::hasFailure)
        .extracting(ReportTestCase::getName)
        .contains("both, 50 users, p95", "guard both, 50 users, throughput")
        .hasSize(suite.getNumberOfFailures());
    assertThat(suite.getNumberOfSkipped()).isPositive();
    int skipped = suite.getNumberOfSkipped();
    int failed = suite.getNumberOfFailures();
    compare(run, "--junit", file.toString(), "--guard", "throughput=5%", "--fail-on", "undecided");
    assertThat(parsed(file).getNumberOfFailures()).isEqualTo(failed + skipped);
    assertThat(parsed(file).getNumberOfSkipped()).isZero();
  }

  private static ReportTestSuite parsed(Path file) throws Exception {
    try (InputStreamReader reader =
        new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)) {
      return new TestSuiteXmlParser(new NullConsoleLogger()).parse(reader).get(0);
    }
  }
}
