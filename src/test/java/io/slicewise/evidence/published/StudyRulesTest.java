package io.slicewise.evidence.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.DocumentSection;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.validity.Violation;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the check of a study's tables: run on the 2010 study's it finds what was found by hand
 * (the file's own flags), and nothing else.
 */
class StudyRulesTest {
  static final Path TABLE = published("devine-2010-web-app.csv");

  private final List<Violation> findings = StudyRules.findings(study(TABLE));

  static Path published(String name) {
    try {
      return Path.of(StudyRulesTest.class.getResource("/published/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static StudyTable study(Path file) {
    return StudyTable.of(CsvFile.read(file, header -> true));
  }

  @Test
  void findsTheSharesThatDoNotAddUpAndNoOthers() throws IOException {
    assertThat(linesOf(TableRule.SHARES)).isEqualTo(flagged(",run,.*,SUM100"));
    assertThat(messages(TableRule.SHARES))
        .anyMatch(m -> m.contains("mysql: block + run + wait = 70.00"));
  }

  @Test
  void findsTheCellThatAddsUpAndCannotBe() throws IOException {
    assertThat(linesOf(TableRule.MOVED)).isEqualTo(flagged(",run,.*,OUTLIER_SUM_OK"));
    assertThat(messages(TableRule.MOVED))
        .singleElement()
        .asString()
        .startsWith(
            "credit-4096, 25 users, dom0: run 50.8 % and wait 22.2 % deviate by 19.5 points");
  }

  /** One of the fifty keeps the law by chance: its time stands 9 % off its column. */
  @Test
  void findsThatTheRatesBreakLittlesLaw() {
    assertThat(messages(TableRule.LITTLES_LAW))
        .hasSize(49)
        .noneMatch(message -> message.startsWith("credit-1024, 100 users"))
        .contains("credit-256, 25 users: 127.57/s x 220.30 ms = 28.1 active users, +12.4 %");
  }

  @Test
  void findsTheTimesThatDoNotBelongToTheirRates() throws IOException {
    assertThat(linesOf(TableRule.COLUMN)).isEqualTo(flagged("RT_CI_N;LITTLE"));
  }

  @Test
  void documentListsWhatIsFound() {
    StringBuilder text = new StringBuilder("| rule | findings | first finding |\n|---|---:|---|\n");
    for (TableRule rule : EnumSet.range(TableRule.SHARES, TableRule.NORMALISATION)) {
      List<String> found = messages(rule);
      text.append(
          String.format(
              Locale.ROOT,
              "| `%s`: %s | %d | %s |\n",
              rule.key(),
              rule.statement(),
              found.size(),
              found.isEmpty() ? "–" : found.get(0)));
    }
    DocumentSection.of("docs/methods.md", "check").holds(text.toString());
  }

  @Test
  void findsThatTwoLoadsWereOne() {
    assertThat(messages(TableRule.SAME_LOAD))
        .singleElement()
        .asString()
        .startsWith("500 and 800 users");
  }

  @Test
  void findsTheCellsWithARunMissing() throws IOException {
    assertThat(linesOf(TableRule.RUN_MISSING)).isEqualTo(flagged(",throughput,.*,N4"));
  }

  @Test
  void findsTheIntervalsWithTheWrongN() throws IOException {
    assertThat(linesOf(TableRule.INTERVAL_N)).isEqualTo(flagged("RT_CI_N"));
    assertThat(messages(TableRule.INTERVAL_N))
        .allMatch(message -> message.endsWith("the runs times requests per second"));
  }

  @Test
  void findsThatWaitingIsNotWaiting() {
    assertThat(messages(TableRule.NORMALISATION))
        .hasSize(3)
        .anyMatch(m -> m.startsWith("nfs: printed wait"));
  }

  @Test
  void findsAGuestThatStandsIdleUnderLoad(@TempDir Path directory) throws IOException {
    Path table = directory.resolve("idle.csv");
    Files.writeString(
        table,
        """
        profile,users,metric,vm,mean,stddev,ci95_half_width
        credit-256,25,throughput,,127.57,28.83,25.27
        credit-256,25,block,mail,49.9,,
        credit-256,25,run,mail,0.1,,
        credit-256,25,wait,mail,50.0,,
        """);

    assertThat(StudyRules.findings(study(table)))
        .filteredOn(finding -> finding.rule().equals(TableRule.IDLE.key()))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.place()).endsWith("idle.csv:4");
              assertThat(finding.message()).contains("mail: ran 0.10 %");
            });
    assertThat(linesOf(TableRule.IDLE)).isEmpty();
  }

  private List<Violation> of(Path directory, String rows) throws IOException {
    Path table = directory.resolve("study.csv");
    Files.writeString(table, "profile,users,metric,vm,mean,stddev,ci95_half_width\n" + rows);
    return StudyRules.findings(study(table));
  }

  /** A cell's share of a domain, the rest of the time waiting. */
  private static String shares(int users, String vm, double run, double block) {
    return String.format(
        Locale.ROOT,
        "p%1$d,25,run,%2$s,%3$.1f,,%np%1$d,25,block,%2$s,%4$.1f,,%np%1$d,25,wait,%2$s,%5$.1f,,%n",
        users,
        vm,
        run,
        block,
        100 - run - block);
  }

  @Test
  void findsAnIdleControlDomainAndItsIdleGuests(@TempDir Path directory) throws IOException {
    String rows =
        "p1,25,throughput,,40,,\n"
            + shares(1, "web", 0.9, 90)
            + shares(1, "db", 4.0, 90)
            + shares(1, "dom0", 2.7, 90)
            + "p2,25,throughput,,40,,\n"
            + shares(2, "web", 0.9, 90)
            + shares(2, "dom0", 20, 70);
    assertThat(of(directory, rows))
        .filteredOn(one -> one.rule().equals("idle"))
        .allMatch(one -> !one.serious())
        .extracting(Violation::message)
        .containsExactly(
            "p1, 25 users, web: ran 0.90 % of the time while 40.00 requests/s were served (limit 1"
                + " % if the control domain is also idle)",
            "p1, 25 users, dom0: ran 2.70 % of the time while 40.00 requests/s were served (limit 3"
                + " % for the control domain)");
  }

  @Test
  void findsADomainThatDidFarLessThanInItsOtherCells(@TempDir Path directory) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 9; i++) {
      rows.append("p%d,25,throughput,,40,,%n".formatted(i));
      rows.append(shares(i, "db", i == 4 ? 2.4 : 11 + i * 0.2, 50));
    }
    assertThat(of(directory, rows.toString()))
        .filteredOn(one -> one.rule().equals("idle"))
        .singleElement()
        .satisfies(one -> assertThat(one.message()).startsWith("p4").contains("upper quartile"));
  }

  @Test
  void findsAShareThatJumpsInOneCell(@TempDir Path directory) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int profile = 0; profile < 6; profile++) {
      for (int users : new int[] {25, 50, 100, 500}) {
        boolean jump = profile == 2 && users == 100;
        double run = (jump ? 29.9 : 38.1 - profile * 0.2) + (users % 7) * 0.1;
        double block = jump ? 40.2 : 32 + profile * 0.2 - (users % 7) * 0.1;
        rows.append(shares(profile, "db", run, block).replace(",25,", "," + users + ","));
      }
    }
    assertThat(of(directory, rows.toString()))
        .filteredOn(one -> one.rule().equals("jump"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isFalse();
              assertThat(one.message()).startsWith("p2, 100 users, db: run 30").contains("polish");
            });
  }

  /** A smaller jump in the same row may be an effect of the larger one, and does not hide it. */
  @Test
  void findsAJumpBesideASmallerOneOfItsRow(@TempDir Path directory) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int profile = 0; profile < 8; profile++) {
      for (int users : new int[] {25, 50, 100, 500, 800}) {
        double off = profile != 2 ? 0 : users == 100 ? 15 : users == 500 ? 5 : 0;
        double run = 38 - profile * 0.2 + (users % 7) * 0.1 - off;
        double block = 32 + profile * 0.2 - (users % 7) * 0.1 + 2 * off;
        rows.append(shares(profile, "db", run, block).replace(",25,", "," + users + ","));
      }
    }
    assertThat(of(directory, rows.toString()))
        .filteredOn(one -> one.rule().equals("jump"))
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.message()).startsWith("p2, 100 users, db: run 22.8 % where 37.8 %"));
  }

  @Test
  void findsIntervalsMadeWithTheNormalQuantile(@TempDir Path directory) throws IOException {
    String normal = "p,25,throughput,,127.57,28.83,25.27\nq,25,throughput,,90.97,25.05,21.96\n";
    String student = "p,25,throughput,,127.57,28.83,35.80\nq,25,throughput,,90.97,25.05,31.10\n";
    assertThat(of(directory, normal))
        .filteredOn(one -> one.rule().equals("interval-z"))
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.message())
                    .isEqualTo(
                        "2 of 2 intervals are 1.96 s / sqrt(n); p, 25 users: +-25.27 over 5 runs,"
                            + " Student's t gives +-35.80, 1.42 times as wide"));
    assertThat(of(directory, student)).noneMatch(one -> one.rule().equals("interval-z"));
  }

  @Test
  void collapsedCellsAreNotComparedWithTheirColumn(@TempDir Path directory) throws IOException {
    String rows =
        """
        p,25,throughput,,100,5,
        p,25,response_time,,250,,
        q,25,throughput,,100,%1$s,
        q,25,response_time,,290,,
        r,25,throughput,,100,5,
        r,25,response_time,,251,,
        s,25,throughput,,100,5,
        s,25,response_time,,300,,
        t,25,throughput,,100,5,
        t,25,response_time,,252,,
        """;
    assertThat(column(directory, rows.formatted("5"))).hasSize(2);
    assertThat(column(directory, rows.formatted("60")))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isTrue();
              assertThat(one.message()).startsWith("s, 25 users");
            });
  }

  @Test
  void aLoadAtWhichAllCellsCollapsedHasNoColumn(@TempDir Path directory) throws IOException {
    String rows =
        """
        p,25,throughput,,100,60,
        p,25,response_time,,250,,
        q,25,throughput,,100,70,
        q,25,response_time,,290,,
        r,25,throughput,,100,80,
        r,25,response_time,,351,,
        """;
    assertThat(column(directory, rows)).isEmpty();
    assertThat(PublishedTables.check(List.of(directory.resolve("study.csv"))).get(0).skipped())
        .filteredOn(one -> one.rule().equals("column"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.times()).isEqualTo(3);
              assertThat(one.reason()).contains("collapsed");
            });
  }

  private List<Violation> column(Path directory, String rows) throws IOException {
    return of(directory, rows).stream().filter(one -> one.rule().equals("column")).toList();
  }

  @Test
  void intervalsOfTimesAreNotBlamedWhereNoRateTellsHowManyRunsThereWere(@TempDir Path directory)
      throws IOException {
    Path table = directory.resolve("times.csv");
    Files.writeString(
        table,
        """
        profile,users,metric,vm,mean,stddev,ci95_half_width
        credit-256,25,response_time,,220.3,28.83,25.27
        """);
    assertThat(StudyRules.findings(study(table))).isEmpty();
  }

  @Test
  void faultsOfATableAreToldTogether(@TempDir Path directory) throws IOException {
    Path table = directory.resolve("broken.csv");
    Files.writeString(
        table,
        """
        profile,users,metric,vm,mean,stddev,ci95_half_width
        credit-256,many,throughput,,127.57,28.83,25.27
        credit-256,25,throughput,,"1,2",28.83,25.27
        """);

    assertThatThrownBy(() -> study(table))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("broken.csv:2: users 'many' is not a whole number of at least 1")
        .hasMessageContaining("broken.csv:3: mean '1,2' is not a number");
  }

  private Set<Integer> linesOf(TableRule rule) {
    Set<Integer> lines = new TreeSet<>();
    findings.stream()
        .filter(finding -> finding.rule().equals(rule.key()))
        .forEach(
            finding ->
                lines.add(
                    Integer.valueOf(
                        finding.place().substring(finding.place().lastIndexOf(':') + 1))));
    return lines;
  }

  private List<String> messages(TableRule rule) {
    return findings.stream()
        .filter(finding -> finding.rule().equals(rule.key()))
        .map(Violation::message)
        .toList();
  }

  private static Set<Integer> flagged(String pattern) throws IOException {
    Pattern flag = Pattern.compile(pattern);
    Set<Integer> found = new TreeSet<>();
    List<String> lines = Files.readAllLines(TABLE);
    for (int i = 0; i < lines.size(); i++) {
      if (flag.matcher(lines.get(i)).find()) {
        found.add(i + 1);
      }
    }
    return found;
  }
}
