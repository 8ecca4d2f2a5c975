package io.slicewise.evidence.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slicewise.evidence.published.PublishedTables.Table;
import io.slicewise.run.validity.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the rules about counts: tolerance for tiny ones, times beside them, two prints of one.
 */
class CountsTest {
  private static final String HEADER =
      "source_table,experiment,query,system,call,metric,unit,value\n";

  @TempDir private Path directory;

  private Table check(String rows) throws IOException {
    Path file = Files.writeString(directory.resolve("calls.csv"), HEADER + rows);
    return PublishedTables.check(List.of(file)).get(0);
  }

  private static String pairs(int... counts) {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < counts.length; i += 2) {
      rows.append("4.4,warm,Q%d,base,read,syscalls,count,%d\n".formatted(i, counts[i]));
      rows.append("4.4,warm,Q%d,xen,read,syscalls,count,%d\n".formatted(i, counts[i + 1]));
    }
    return rows.toString();
  }

  @Test
  void oneCallMoreOrLessIsNoOtherWork() throws IOException {
    Table table =
        check(
            pairs(
                900, 900, 800, 800, 700, 700, 600, 600, 500, 500, 400, 400, 300, 300, 5, 6, 4, 3,
                22, 44));
    assertThat(table.asked()).containsEntry("alike", 10);
    assertThat(table.violations()).isEmpty();
  }

  /** A few calls less everywhere are one difference, whatever the counts are. */
  @Test
  void aConstantDifferenceIsNoOtherWork() throws IOException {
    assertThat(
            check(
                    pairs(
                        9000, 8960, 8000, 7960, 7000, 6960, 6000, 5960, 5000, 4960, 4000, 3960,
                        3000, 2960, 90, 50, 95, 55))
                .violations())
        .isEmpty();
  }

  @Test
  void otherWorkIsInDoubtAndTheRuleIsNamed() throws IOException {
    Table table =
        check(
            pairs(900, 901, 800, 800, 700, 700, 600, 600, 500, 500, 400, 400, 300, 300, 1000, 700));
    assertThat(table.violations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isFalse();
              assertThat(one.message()).contains("-30.0 % compared with base's 1000", "Tukey");
              assertThat(one.likelyCause()).doesNotContain("mistyped");
            });
  }

  @Test
  void callsTakeTime() throws IOException {
    Table table =
        check(
            """
            D.1,warm,Q1,base,read,syscalls,count,12
            D.1,warm,Q1,base,read,syscall_time,ms,0.00
            D.1,warm,Q1,xen,read,calls,count,0
            D.1,warm,Q1,xen,read,time,ms,0.00
            """);
    assertThat(table.asked()).containsEntry("call-time", 2);
    assertThat(table.violations())
        .extracting(Violation::message, Violation::serious)
        .containsExactly(
            tuple(
                "read, warm, Q1, base: syscall_time is printed as 0.00 ms for 12 syscalls", false));
  }

  @Test
  void aCountPrintedTwiceIsOneNumber() throws IOException {
    Table table =
        check(
            """
            4.4,warm,Q1,base,read,syscalls,count,349
            D.1,warm,Q1,base,read,syscalls,count,350
            """);
    assertThat(table.violations())
        .extracting(Violation::message, Violation::serious)
        .containsExactly(
            tuple(
                "read, warm, Q1, base: syscalls is 349 here, and 350 in table D.1, calls.csv:3",
                true));
  }

  @Test
  void aTimePrintedTwiceWithAnotherLastDigitIsInDoubt() throws IOException {
    Table table =
        check(
            """
            3,Baseline,,dom1,,AvgRdWait,ms,5.96
            7,dom1 alone,,dom1,,AvgRdWait,ms,5.95
            13,Baseline,,dom1,,AvgRdWait,ms,6.0
            """);
    assertThat(table.violations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isFalse();
              assertThat(one.message()).contains("5.95", "without interference");
            });
  }

  @Test
  void kindsAndTheirTotalAreHeldAgainstTheWhole() throws IOException {
    Table table =
        check(
            """
            4.3,warm,Q1,base,,syscalls,count,112
            4.3,warm,Q2,base,,syscalls,count,20
            D.1,warm,Q1,base,read,syscalls,count,100
            D.1,warm,Q1,base,lseek,syscalls,count,11
            D.1,warm,Q1,base,Total,syscalls,count,111
            D.2,warm,Q2,base,read,syscalls,count,19
            D.2,warm,Q2,base,lseek,syscalls,count,5
            """);
    assertThat(table.violations())
        .extracting(Violation::message)
        .contains("Total, warm, Q1, base: syscalls is 111 here, and 112 in table 4.3, calls.csv:2")
        .anyMatch(
            message ->
                message.startsWith("warm, Q2, base: syscalls of 2 kinds add up to 24")
                    && message.contains("inputs from table 4.3"));
  }

  /** Two tables that agree but for one number, under other names of the experiment. */
  @Test
  void tablesThatAgreeButForOneNumberAreHeldAgainstEachOther() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 7; i++) {
      rows.append("4.4,warm,Q%d,base,read,syscalls,count,%d\n".formatted(i, 500 + i));
      rows.append(
          "D.1,warm by kind,Q%d,base,read,syscalls,count,%d\n"
              .formatted(i, i == 3 ? 530 : 500 + i));
    }
    assertThat(check(rows.toString()).violations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isFalse();
              assertThat(one.message())
                  .contains("503 here", "530 of read, warm by kind", "6 of the 7 numbers");
            });
  }

  /** One kind of call that every query makes less often is one finding, not one a query. */
  @Test
  void aKindOfCallThatIsLowerInEveryCaseIsReportedOnce() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int query = 1; query <= 10; query++) {
      for (String call : List.of("read", "lseek", "write", "brk")) {
        int count = 1000 * query;
        int guest = call.equals("lseek") ? count * 7 / 10 : count + 1;
        String line = "4.4,warm,Q%d,%s,%s,syscalls,count,%d\n";
        rows.append(line.formatted(query, "base", call, count));
        rows.append(line.formatted(query, "xen", call, guest));
      }
    }
    assertThat(check(rows.toString()).violations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isFalse();
              assertThat(one.message())
                  .startsWith("call lseek: syscalls -30.0 %")
                  .contains("the median of 10 cases");
            });
  }

  private List<Violation> ofThreeAndThirtyRuns(String three, String thirty) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("runs.csv"),
            "source_table,experiment,layer,metric,unit,value,stddev,n_runs\n"
                + "7,dom1 alone,dom1,tps,1/s,%s,3\n".formatted(three)
                + "12,dom1 alone,dom1,tps,1/s,%s,30\n".formatted(thirty));
    return PublishedTables.check(List.of(file)).get(0).violations();
  }

  /** 415 and 430 with a deviation of 20 differ by 1.2 standard errors, 415 and 470 by 4.5. */
  @Test
  void meansOfThreeAndOfThirtyRunsMayDifferByChance() throws IOException {
    assertThat(ofThreeAndThirtyRuns("415,", "430,20")).isEmpty();
    assertThat(ofThreeAndThirtyRuns("415,", "430,")).isEmpty();
    assertThat(ofThreeAndThirtyRuns("415,20", "470,20"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isFalse();
              assertThat(one.message())
                  .contains("means of 3 and of 30 runs that differ by 4.5 standard errors");
            });
  }

  /** A slowdown that names no metric, in a table without running times, is of its own times. */
  @Test
  void aSlowdownIsHeldAgainstTheTimesOfItsOwnTable() throws IOException {
    String rows =
        """
        D.1,warm,Q1,base,read,us_per_call,us,2.00
        D.1,warm,Q1,xen,read,us_per_call,us,3.00
        D.1,warm,Q1,xen-base,read,rel_slowdown,percent,%s
        """;
    assertThat(check(rows.formatted("50.0")).violations()).isEmpty();
    assertThat(check(rows.formatted("0.00")).violations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.serious()).isTrue();
              assertThat(one.message())
                  .contains("rel_slowdown is printed as 0.00", "100 x (3.00 / 2.00 - 1)");
            });
  }
}
