package io.slicewise.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.DocumentSection;
import io.slicewise.units.SlicewiseException;
import io.slicewise.validity.Violation;
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
    assertThat(linesOf(Rule.SHARES)).isEqualTo(flagged(",run,.*,SUM100"));
    assertThat(messages(Rule.SHARES))
        .anyMatch(m -> m.contains("mysql: block + run + wait = 70.00"));
  }

  @Test
  void findsTheCellThatAddsUpAndCannotBe() throws IOException {
    assertThat(linesOf(Rule.MOVED)).isEqualTo(flagged(",run,.*,OUTLIER_SUM_OK"));
    assertThat(messages(Rule.MOVED))
        .singleElement()
        .asString()
        .startsWith("credit-4096, 25 users, dom0: run 50.8 % and wait 22.2 % stand 19.5 points");
  }

  /** One of the fifty keeps the law by chance: its time stands 9 % off its column. */
  @Test
  void findsThatTheRatesBreakLittlesLaw() {
    assertThat(messages(Rule.LITTLES_LAW))
        .hasSize(49)
        .noneMatch(message -> message.startsWith("credit-1024, 100 users"))
        .contains("credit-256, 25 users: 127.57/s x 220.30 ms = 28.1 users at work, +12.4 %");
  }

  @Test
  void findsTheTimesThatDoNotBelongToTheirRates() throws IOException {
    assertThat(linesOf(Rule.ONE_OF_A_KIND)).isEqualTo(flagged("RT_CI_N;LITTLE"));
  }

  @Test
  void documentListsWhatIsFound() {
    StringBuilder text =
        new StringBuilder("| rule | findings | the first of them |\n|---|---:|---|\n");
    for (Rule rule : EnumSet.range(Rule.SHARES, Rule.NORMALISATION)) {
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
    assertThat(messages(Rule.SAME_LOAD)).singleElement().asString().startsWith("500 and 800 users");
  }

  @Test
  void findsTheCellsWithARunMissing() throws IOException {
    assertThat(linesOf(Rule.RUN_MISSING)).isEqualTo(flagged(",throughput,.*,N4"));
  }

  @Test
  void findsTheIntervalsWithTheWrongN() throws IOException {
    assertThat(linesOf(Rule.INTERVAL_N)).isEqualTo(flagged("RT_CI_N"));
    assertThat(messages(Rule.INTERVAL_N))
        .allMatch(message -> message.endsWith("the runs times requests per second"));
  }

  @Test
  void findsThatWaitingIsNotWaiting() {
    assertThat(messages(Rule.NORMALISATION)).hasSize(3).anyMatch(m -> m.startsWith("nfs: said"));
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
        .filteredOn(finding -> finding.rule().equals(Rule.IDLE.key()))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.place()).endsWith("idle.csv:4");
              assertThat(finding.message()).contains("mail: ran 0.10 %");
            });
    assertThat(linesOf(Rule.IDLE)).isEmpty();
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
        .hasMessageContaining("broken.csv:2: users 'many' is no whole number from 1 on")
        .hasMessageContaining("broken.csv:3: mean '1,2' is not a number");
  }

  private Set<Integer> linesOf(Rule rule) {
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

  private List<String> messages(Rule rule) {
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
