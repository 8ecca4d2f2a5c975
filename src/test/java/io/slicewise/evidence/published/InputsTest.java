package io.slicewise.evidence.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.published.PublishedTables.Table;
import io.slicewise.run.validity.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects where a rule's inputs come from: the number's own table first, another one only in
 * doubt, and never a choice between several; what could not be asked is listed with its reason.
 */
class InputsTest {
  private static final String HEADER =
      "source_table,server,experiment,layer,metric,unit,value,stddev,n_runs\n";

  /** Reads of the control domain that belong to a run of three, and a mean of thirty runs. */
  private static final String OF_THREE =
      HEADER
          + """
          8,a,Dom1 + 1 guest,dom0,reads_per_s,1/s,300,,3
          """;

  private static final String OF_THIRTY =
      HEADER
          + """
          12,a,Dom1 + 1 guest,dom1,reads_per_s,1/s,163,8.3,30
          12,a,Dom1 + 1 guest,dom1,interference_rps,percent,36.6,3.3,30
          """;

  @TempDir private Path directory;

  private List<Table> check(String... tables) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String table : tables) {
      files.add(Files.writeString(directory.resolve("t" + files.size() + ".csv"), table));
    }
    return PublishedTables.check(files);
  }

  @Test
  void inputsOfAnotherTableLeaveTheNumberInDoubt() throws IOException {
    Table thirty = check(OF_THREE, OF_THIRTY).get(1);
    assertThat(thirty.violations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isFalse();
              assertThat(one.message()).endsWith("; inputs from table 8, t0.csv:2");
            });
  }

  @Test
  void inputsOfTheSameTableDecide() throws IOException {
    String own = OF_THIRTY + "12,a,Dom1 + 1 guest,dom0,reads_per_s,1/s,300,,30\n";
    Table table = check(OF_THREE.replace("300", "257"), own).get(1);
    assertThat(table.violations())
        .filteredOn(one -> one.rule().equals("formula"))
        .singleElement()
        .matches(Violation::serious);
  }

  @Test
  void aMissingInputIsListedAsSkipped() throws IOException {
    Table alone = check(OF_THIRTY).get(0);
    assertThat(alone.violations()).isEmpty();
    assertThat(alone.skipped())
        .containsExactly(
            new PublishedTables.Skipped(
                "formula",
                1,
                directory.resolve("t0.csv") + ":3",
                "interference_rps: reads_per_s of dom0 is not printed"));
  }

  /** A mean of thirty ratios is not the ratio of the two means. */
  @Test
  void aMeanOfRunsMayDifferFromTheRatioOfMeansByTheirScatter() throws IOException {
    String rows =
        HEADER
            + """
            12,a,x,dom1,reads_per_s,1/s,163,16.3,30
            12,a,x,dom0,reads_per_s,1/s,257,38,30
            12,a,x,dom1,interference_rps,percent,%s,3.3,30
            """;
    assertThat(check(rows.formatted("35.5")).get(0).violations()).isEmpty();
    assertThat(check(rows.formatted("31.0")).get(0).violations()).hasSize(1);
  }

  private static final String VERIFICATION =
      """
      13,p,Baseline,dom0,AvgRdWait,ms,5.7,,3
      13,p,Fewer,dom0,AvgRdWait,ms,4.7,,3
      13,p,Fewer,dom0,interference_arw,percent,-17,,3
      """;

  @Test
  void aTablesOwnLoneCaseIsTakenThoughItsFileHasAnother() throws IOException {
    Table table =
        check(HEADER + "7,p,dom1 alone,dom0,AvgRdWait,ms,9.68,,3\n" + VERIFICATION).get(0);
    assertThat(table.violations())
        .filteredOn(one -> one.rule().equals("formula"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isTrue();
              assertThat(one.message()).contains("100 x (1 - 5.7 / 4.7) = -21.30");
            });
  }

  @Test
  void severalLoneCasesOfATableAreListedAndNoneIsChosen() throws IOException {
    Table table =
        check(HEADER + VERIFICATION + "13,p,dom1 alone,dom0,AvgRdWait,ms,9.68,,3\n").get(0);
    assertThat(table.asked()).doesNotContainKey("formula");
    assertThat(table.skipped())
        .extracting(PublishedTables.Skipped::reason)
        .anyMatch(
            reason ->
                reason.equals(
                    "interference_arw: avgrdwait of dom0 without interference has several values:"
                        + " 5.7 (Baseline, p, dom0, table 13, t0.csv:2), 9.68 (dom1 alone, p, dom0,"
                        + " table 13, t0.csv:5)"));
  }
}
