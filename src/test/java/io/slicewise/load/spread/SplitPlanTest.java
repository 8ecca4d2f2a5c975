package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.spread.GeneratorPart.UserShare;
import io.slicewise.load.spread.SplitPlan.SplitFindings;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan is split completely or refused: no user and no row is used twice. */
class SplitPlanTest {
  private static final SplitRules SPLIT = new SplitRules(false, true);
  private static final Path PLANS = Path.of(System.getProperty("slicewise.home"), "jmeter-plans");
  private static final String PLAN =
      """
      <jmeterTestPlan><hashTree>
        <TestPlan testclass="TestPlan" testname="t"/>
        <hashTree>
          <ThreadGroup testclass="ThreadGroup" testname="all">
            <stringProp name="ThreadGroup.num_threads">${__P(users,1)}</stringProp>
          </ThreadGroup>
          <hashTree>%s</hashTree>
        </hashTree>
      </hashTree></jmeterTestPlan>
      """;

  @TempDir Path directory;

  private Path plan(String elements) throws IOException {
    return Files.writeString(directory.resolve("plan.jmx"), PLAN.formatted(elements));
  }

  @Test
  void everyShippedPlanCanBeSplit() throws IOException {
    try (Stream<Path> plans = Files.list(PLANS)) {
      assertThat(plans.filter(plan -> plan.toString().endsWith(".jmx")))
          .hasSizeGreaterThan(5)
          .allSatisfy(plan -> assertThat(faults(plan, SPLIT)).isEmpty());
    }
  }

  @Test
  void collectsAllThatCannotBeSplitUnlessEachMayHaveItsOwn() throws IOException {
    Path plan =
        plan(
            """
            <CounterConfig testclass="CounterConfig" testname="orders">
              <boolProp name="CounterConfig.per_user">false</boolProp></CounterConfig><hashTree/>
            <SyncTimer testclass="SyncTimer" testname="rush"/><hashTree/>
            <ConstantThroughputTimer testclass="ConstantThroughputTimer" testname="pace">
              <intProp name="calcMode">2</intProp></ConstantThroughputTimer><hashTree/>
            <CriticalSectionController testclass="CriticalSectionController" testname="one"/>
            <hashTree><Http testclass="Http"><stringProp name="p">${__counter(FALSE,)}</stringProp></Http></hashTree>
            <SyncTimer testclass="SyncTimer" testname="off" enabled="false"/><hashTree/>
            <SetupThreadGroup testclass="SetupThreadGroup" testname="prepare"/><hashTree/>
            """);
    assertThat(faults(plan, SPLIT))
        .containsExactly(
            "counter 'orders' counts on each generator by itself",
            "timer 'rush' synchronizes only the users of one generator",
            "timer 'pace' paces all users of one generator, not of all",
            "critical section 'one' excludes only users of one generator",
            "a __counter of all users counts on each generator by itself",
            "thread group 'prepare' would run once on each generator");
    assertThat(faults(plan, new SplitRules(true, true))).isEmpty();
  }

  @Test
  void refusesUsersThatAreNotThePropertyAndSaysTheWayOut() throws IOException {
    Path plan = plan("");
    Files.writeString(plan, Files.readString(plan).replace("${__P(users,1)}", "25"));
    assertThatThrownBy(() -> SplitPlan.parts(plan, Map.of(), new SplitRules(true, true)))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageEndingWith(
            "plan.jmx cannot run on several generators: thread group 'all' has 25 users, not the"
                + " property users, so they cannot be split");
  }

  @Test
  void countsTheRowsThatEachGeneratorGetsForItsUsers() throws IOException {
    Files.writeString(
        directory.resolve("names.csv"),
        "name\n" + String.join("\n", IntStream.range(0, 20).mapToObj(i -> "n" + i).toList()));
    Path plan = plan(dataSet("names.csv"));
    assertThat(findings(plan, 19, 1, 25, 30))
        .as("a set that begins again")
        .isEqualTo(
            new SplitFindings(
                List.of(),
                List.of(
                    "at 25 users, the 13 of generator gen1 get 10 of the 20 rows of names.csv, so"
                        + " some of them use the same rows")));

    Files.writeString(
        plan,
        Files.readString(plan)
            .replace("</CSVDataSet>", "<boolProp name=\"recycle\">false</boolProp></CSVDataSet>"));
    assertThat(findings(plan, 19, 1, 25, 30))
        .isEqualTo(
            new SplitFindings(
                List.of(
                    "at 25 users, the 13 of generator gen1 get 10 of the 20 rows of names.csv, and"
                        + " data set 'names' does not begin again"),
                List.of()));
    assertThat(findings(plan, 20, 1)).isEqualTo(new SplitFindings(List.of(), List.of()));
  }

  private static SplitFindings findings(Path plan, Integer... loads) {
    GeneratorMachine first = new GeneratorMachine("gen1", Optional.empty(), 1, "java");
    GeneratorMachine second = new GeneratorMachine("gen2", Optional.empty(), 1, "java");
    return SplitPlan.findings(plan, Map.of(), SPLIT, List.of(first, second), List.of(loads));
  }

  private static List<String> faults(Path plan, SplitRules rules) {
    return SplitPlan.findings(plan, Map.of(), rules, List.of(), List.of()).faults();
  }

  @Test
  void cutsRowsByTheSharesOfUsersAndUsesNoneTwice() throws IOException {
    Files.writeString(
        directory.resolve("names.csv"),
        "name\n" + String.join("\n", IntStream.range(0, 200).mapToObj(i -> "n" + i).toList()));
    PlanParts parts = SplitPlan.parts(plan(dataSet("names.csv")), Map.of(), SPLIT);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Path staged = Files.createDirectory(directory.resolve("gen" + i));
      UserShare share = new UserShare(i, 2, 13 * i, 13 - i);
      List<String> lines =
          Files.readAllLines(parts.stage(List.of(13, 12), share, staged).get("names.csv"));
      assertThat(lines.get(0)).isEqualTo("name");
      assertThat(lines).hasSize(1 + (i == 0 ? 104 : 96));
      all.addAll(lines.subList(1, lines.size()));
    }
    assertThat(all).hasSize(200).doesNotHaveDuplicates();
  }

  @Test
  void refusesRowsOfAFileThatItCannotCutUnlessTheDataAreTheSame() throws IOException {
    Path plan = plan(dataSet("/data/${__time()}.csv"));
    assertThat(faults(plan, SPLIT))
        .containsExactly(
            "data set 'names' names '/data/${__time()}.csv', which is no file relative to the plan,"
                + " so its rows cannot be split");
    assertThat(faults(plan, new SplitRules(false, false))).isEmpty();
  }

  @Test
  void turnsWhatEachUserReadsOnceToItsFirstUserAndKeepsPrivateKeysHere() throws IOException {
    Path accounts = Files.writeString(directory.resolve("accounts"), "a,1\nb,2\nc,3\n");
    Path key =
        Files.writeString(directory.resolve("key"), "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n");
    Path plan =
        plan(
            "<U testclass=\"UserParameters\"><stringProp"
                + " name=\"1\">${__CSVRead(${__P(accounts,accounts.csv)},0)}</stringProp></U><hashTree/>");
    Map<String, String> properties =
        Map.of("accounts", accounts.toString(), "guest-identity", key.toString());
    PlanParts parts = SplitPlan.parts(plan, properties, SPLIT);
    assertThat(parts.renamed()).containsOnlyKeys("accounts");
    Path staged = Files.createDirectory(directory.resolve("gen"));
    UserShare share = new UserShare(1, 2, 2, 1);
    Path turned = parts.stage(List.of(2, 1), share, staged).get(parts.renamed().get("accounts"));
    assertThat(Files.readAllLines(turned)).containsExactly("c,3", "a,1", "b,2");
  }

  private static String dataSet(String file) {
    return """
    <CSVDataSet testclass="CSVDataSet" testname="names">
      <stringProp name="filename">%s</stringProp>
      <stringProp name="variableNames"></stringProp>
      <stringProp name="shareMode">shareMode.all</stringProp>
    </CSVDataSet><hashTree/>
    """
        .formatted(file);
  }
}
