package io.slicewise.evidence.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.published.PublishedNumber;
import io.slicewise.evidence.study.InterferenceRow.InterferenceMeasure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects which case without neighbours the others of a published file are compared with. */
class InterferenceTablesTest {
  @TempDir private Path directory;

  private List<InterferenceRow> rows(String numbers) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("designs.csv"),
            "source_table,experiment,layer,metric,unit,value\n" + numbers);
    return InterferenceTables.of(PublishedNumber.read(List.of(file)));
  }

  private static InterferenceRow row(List<InterferenceRow> rows, String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }

  /** Two designs in one file: the first has no rate of transactions, and its own case alone. */
  @Test
  void eachTableHasItsOwnReference() throws IOException {
    List<InterferenceRow> rows =
        rows(
            """
            9,Dom1 (Only),dom1,tps,1/s,1000
            9,Dom1 (Only),dom0,AvgRdWait,ms,10
            9,Dom1 + 1 guest,dom1,tps,1/s,522
            9,Dom1 + 1 guest,dom0,AvgRdWait,ms,20
            11,alone,dom1,reads_per_s,1/s,317
            11,alone,dom0,AvgRdWait,ms,14.7
            11,one neighbour,dom1,reads_per_s,1/s,163
            11,one neighbour,dom0,AvgRdWait,ms,29.4
            """);
    assertThat(rows).filteredOn(InterferenceRow::alone).hasSize(2);
    InterferenceRow besideOne = row(rows, "Dom1 + 1 guest");
    assertThat(besideOne.of(InterferenceMeasure.DROP).mean()).isCloseTo(47.8, within(0.051));
    assertThat(besideOne.of(InterferenceMeasure.ARW).mean()).isCloseTo(50, within(0.051));
    assertThat(row(rows, "one neighbour").of(InterferenceMeasure.ARW).mean())
        .isCloseTo(50, within(0.051));
  }

  /** A table without a case alone uses the one of another table that has the same measures. */
  @Test
  void aTableWithoutAReferenceUsesTheMostAlikeOne() throws IOException {
    List<InterferenceRow> rows =
        rows(
            """
            7,baseline,dom1,reads_per_s,1/s,400
            8,alone,dom1,tps,1/s,500
            8,alone,dom1,reads_per_s,1/s,380
            9,two neighbours,dom1,tps,1/s,250
            10,dom1 alone,dom1,reads_per_s,1/s,390
            """);
    assertThat(row(rows, "two neighbours").of(InterferenceMeasure.DROP).mean())
        .isCloseTo(50, within(0.051));
  }
}
