package io.slicewise.evidence.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.evidence.published.PublishedTables.Table;
import io.slicewise.run.validity.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the check of tables of any study: run on three studies' it finds what was found by hand
 * (the files' own flags), and each rule finds what breaks it and leaves the rest alone.
 */
class PublishedTablesTest {
  private static final Map<String, Table> TABLES = published();

  @TempDir private Path directory;

  static Map<String, Table> published() {
    try (Stream<Path> files = Files.list(StudyRulesTest.TABLE.getParent())) {
      List<Path> tables = files.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
      Map<String, Table> checked = new TreeMap<>();
      PublishedTables.check(tables)
          .forEach(table -> checked.put(table.file().getFileName().toString(), table));
      return checked;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void findsThePartsThatDoNotAddUp() throws IOException {
    assertThat(lines("minhas-2007-breakdown.csv", TableRule.PARTS))
        .containsAll(flagged("minhas-2007-breakdown.csv", "SUM_RUNTIME"));
    assertThat(messages("minhas-2007-breakdown.csv", TableRule.PARTS))
        .contains(
            "warm, Q17, xen: user + sys = 0.33 s, the run took 0.47 s: 0.14 s are in no part (29.8"
                + " %); inputs from table 4.1, minhas-2007-runtime.csv:67");
  }

  /** As time(1) prints them: a process waits, and several threads use more time than passes. */
  @Test
  void accusesNoProcessThatWaitedOrHadThreads() throws IOException {
    String rows = "t,%1$s,runtime,s,%2$s\nt,%1$s,user,s,%3$s\nt,%1$s,sys,s,0.04\n";
    Table table =
        check(
            "source_table,experiment,metric,unit,value\n"
                + rows.formatted("aix looper", "3.58", "3.16")
                + rows.formatted("aix nice", "6.54", "3.17")
                + rows.formatted("make -j", "3.00", "5.90"));
    assertThat(
            check(
                    "source_table,experiment,metric,unit,value\n"
                        + rows.formatted("curl", "6.54", "3.17")
                        + "t,curl,iowait,s,1.20\n")
                .violations())
        .singleElement()
        .matches(doubt -> !doubt.serious())
        .satisfies(doubt -> assertThat(doubt.likelyCause()).contains("(a network, a lock, a CPU)"));
    assertThat(table.violations())
        .singleElement()
        .matches(doubt -> !doubt.serious())
        .satisfies(
            doubt -> assertThat(doubt.likelyCause()).contains("more than one thread or process"));
  }

  @Test
  void findsTheTwoSystemsThatWereExchangedAndNoOthers() {
    assertThat(messages("minhas-2007-breakdown.csv", TableRule.EXCHANGED))
        .singleElement()
        .asString()
        .startsWith("cold, Q13, base: parts of 18.02 s are printed for 17.10 s");
  }

  @Test
  void findsTheNumbersThatTheirFormulasDoNotGiveAndNoOthers() throws IOException {
    assertThat(lines("jensen-2014-verification.csv", TableRule.FORMULA))
        .isEqualTo(flagged("jensen-2014-verification.csv", "FORMULA"));
    assertThat(lines("jensen-2014-vmstat.csv", TableRule.FORMULA))
        .isEqualTo(flagged("jensen-2014-vmstat.csv", "SIGN"));
    assertThat(TABLES.get("jensen-2014-vmstat.csv").violations().get(0).likelyCause())
        .startsWith("the sign was lost");
    assertThat(TABLES.get("minhas-2007-runtime.csv").asked()).containsEntry("formula", 181);
    assertThat(TABLES.get("minhas-2007-runtime.csv").violations()).isEmpty();
  }

  /** One by chance of reading; three because the control domain's are sectors. */
  @Test
  void findsTheCountersThatContradictEachOther() throws IOException {
    assertThat(lines("jensen-2014-counters.csv", TableRule.FORMULA))
        .containsAll(flagged("jensen-2014-counters.csv", "HALF_SECTORS"))
        .hasSize(4);
    assertThat(TABLES.get("jensen-2014-counters.csv").asked()).containsEntry("duration", 6);
    assertThat(messages("jensen-2014-counters.csv", TableRule.FORMULA))
        .contains(
            "dom1 alone, personal, dom0: pgpgin is printed as 332504, but 332504 sectors / 2 ="
                + " 166252");
  }

  @Test
  void findsWhatTwoTablesDoNotAgreeOn() throws IOException {
    assertThat(lines("jensen-2014-guest-view.csv", TableRule.PRINTED_TWICE))
        .isEqualTo(flagged("jensen-2014-guest-view.csv", "CROSS_13"));
  }

  @Test
  void findsTheCountThatDiffersBetweenTheSystems() throws IOException {
    assertThat(lines("minhas-2007-page-faults.csv", TableRule.ALIKE))
        .isEqualTo(flagged("minhas-2007-page-faults.csv", "BASE_XEN_DIFFER"));
  }

  @Test
  void findsTheProfilesThatRequestMoreOrLessThanTheOthers() throws IOException {
    assertThat(lines("devine-2010-profiles.csv", TableRule.REQUESTED))
        .containsAll(flagged("devine-2010-profiles.csv", "SHARE"));
    assertThat(TABLES.get("devine-2010-profiles.csv").violations()).noneMatch(Violation::serious);
  }

  @Test
  void findsSystemCallsThatTookNoTime() {
    assertThat(messages("minhas-2007-syscalls.csv", TableRule.CALL_TIME))
        .contains("warm, Q9, base: 348943 calls in 4.19 ms are 12 ns a call");
  }

  @Test
  void saysOfATableWithoutNumbersThatThereIsNothing() {
    assertThat(TABLES.get("minhas-2007-versions.csv").nothing())
        .startsWith("it has no measured numbers");
    assertThat(TABLES.get("jensen-2014-30-runs.csv").asked()).containsOnlyKeys("range");
  }

  @Test
  void whatIsNoTableIsLeftAloneAndSaid() throws IOException {
    Path samples = Files.write(directory.resolve("old.csv"), new byte[] {'a', ',', (byte) 0xe4});
    Path empty = Files.writeString(directory.resolve("empty.csv"), "");
    assertThat(PublishedTables.check(List.of(samples, empty)))
        .extracting(Table::nothing)
        .containsExactly("its first line is not a header", "its first line is not a header");
  }

  @Test
  void faultsOfATableAreToldTogether() throws IOException {
    assertThatThrownBy(() -> check("metric,unit,value\ntps,1/s,12x\ntps,1/s,3\ntps,1/s,NaN\n"))
        .hasMessageContaining("table.csv:2: value '12x' is not a number")
        .hasMessageContaining("table.csv:4: value 'NaN' is not a number");
  }

  @Test
  void aQuotedFieldMayContainLineBreaksAndLaterLinesKeepTheirNumbers() throws IOException {
    String note = "metric,unit,value,note\ntps,1/s,3,\"of a\nbusy, noisy host\"\n";
    assertThat(check(note).nothing()).isEmpty();
    assertThatThrownBy(() -> check(note + "\ntps,1/s,12x,\n"))
        .hasMessageEndingWith("table.csv:5: value '12x' is not a number");
  }

  @Test
  void refusesAQuoteThatIsNotClosedInsteadOfLosingTheLinesAfterIt() {
    assertThatThrownBy(() -> check("metric,unit,value,note\ntps,1/s,3,\"open\ntps,1/s,4,\n"))
        .hasMessageContaining("table.csv cannot be read: ")
        .hasMessageContaining("line 2");
  }

  @Test
  void sharesOfCpuTimeMakeAHundredWhereAllAreThereAndNeverMore() throws IOException {
    Table table =
        check(
            """
            source_table,host,metric,unit,value
            1,a,us,percent,20
            1,a,sy,percent,10
            1,a,id,percent,60
            1,a,wa,percent,10
            1,b,us,percent,20
            1,b,sy,percent,10
            1,b,id,percent,50
            1,c,wa,percent,93
            1,c,us,percent,20
            1,d,wa,percent,93
            1,d,us,percent,2
            """);
    assertThat(table.asked()).containsEntry("parts", 4);
    assertThat(table.violations())
        .extracting(Violation::message)
        .containsExactly("b: us + sy + id = 80.0 %", "c: wa + us = 113.0 %");
  }

  @Test
  void percentagesAreNoPartsOfATime() throws IOException {
    Table table =
        check(
            """
            query,system,metric,unit,value
            Q1,base,runtime,s,10
            Q1,base,user,percent,60
            Q1,base,sys,percent,20
            Q1,base,idle,percent,20
            Q1,base,user,s,6
            """);
    assertThat(table.violations()).isEmpty();
    assertThat(table.asked()).containsOnlyKeys("parts", "range").containsEntry("parts", 1);
  }

  @Test
  void ratesAndCountsTellOneDurationEach() throws IOException {
    Table table =
        check(
            """
            query,system,metric,unit,value
            Q1,base,faults,count,1000
            Q1,base,faults_per_second,1/s,100
            Q1,base,runtime,s,10.0
            Q2,base,faults,count,1000
            Q2,base,faults_per_second,1/s,200
            Q2,base,runtime,s,10.0
            """);
    assertThat(table.violations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.rule()).isEqualTo("duration");
              assertThat(one.message()).startsWith("Q2, base: 1000 / 200 per s = 5.0");
            });
  }

  @Test
  void aGuestCannotGetMoreThanItsServerPasses() throws IOException {
    Table table =
        check(
            """
            query,system,metric,unit,value
            Q1,domu,disk_read,MB,700
            Q1,dom0,disk_read,MB,650
            Q2,domu,disk_read,MB,700
            Q2,dom0,disk_read,MB,700
            """);
    assertThat(table.violations())
        .extracting(Violation::message)
        .containsExactly("Q1, domu: disk_read 700, but disk_read of Q1, dom0 is only 650");
  }

  @Test
  void totalsAndSlowdownsAreWorkedOutAgain() throws IOException {
    Table table =
        check(
            """
            query,system,metric,unit,value
            Q1,base,runtime,s,10.0
            Q1,xen,runtime,s,12.0
            Q1,xen-base,rel_slowdown,percent,20
            Q2,base,runtime,s,5.0
            Overall,base,runtime,s,16.0
            Q1,xen-base,abs_slowdown,s,1.0
            """);
    assertThat(table.violations())
        .extracting(Violation::message)
        .containsExactly(
            "Overall, base: runtime is printed as 16.0, but the sum of the 2 above = 15.00 (14.90"
                + " to 15.10)",
            "Q1, xen-base: abs_slowdown is printed as 1.0, but 12.0 - 10.0 = 2.000 (1.900 to"
                + " 2.100)");
  }

  @Test
  void whatRoundingExplainsIsNotTold() throws IOException {
    Table table =
        check(
            """
            case,system,metric,unit,value,stddev,n_runs,min,max
            a,base,tps,1/s,3.1,,,3.14,3.2
            b,base,tps,1/s,0.0,0.04,5,,
            c,base,used,percent,100.0,,,,99.98
            d,base,runtime,s,10,,,,
            d,xen,runtime,s,0,,,,
            d,base-xen,slowdown,percent,30,,,,
            """);
    assertThat(table.asked()).containsEntry(TableRule.FORMULA.key(), 1);
    assertThat(table.violations()).isEmpty();
  }

  @Test
  void aMarkOfTheByteOrderIsNoPartOfTheHeader() throws IOException {
    assertThat(check("\uFEFFmetric,unit,value\ntps,1/s,-3\n").violations()).hasSize(1);
  }

  @Test
  void usersOfAStudyAreWhole() {
    assertThatThrownBy(
            () ->
                check(
                    """
                    profile,users,metric,vm,mean,stddev,ci95_half_width
                    p,,throughput,,10,,
                    p,25.9,throughput,,10,,
                    p,25,throughput,,10,,
                    """))
        .hasMessageContaining("table.csv:2: users '' is not a whole number of at least 1")
        .hasMessageContaining("table.csv:3: users '25.9' is not a whole number of at least 1");
  }

  @Test
  void rulesOfAStudyAreAskedOfPrintedNumbersOnly() throws IOException {
    Table table =
        check(
            """
            profile,users,metric,vm,mean,stddev,ci95_half_width
            p,25,run,a,,,
            p,25,block,a,50,,
            p,25,wait,a,80,,
            """);
    assertThat(table.asked()).isEmpty();
  }

  @Test
  void numbersLieWhereTheyCan() throws IOException {
    Table table =
        check(
            """
            case,metric,unit,value,stddev,n_runs,min,max
            a,tps,1/s,100,5,30,90,110
            b,tps,1/s,-1,,,,
            c,tps,1/s,120,,,90,110
            d,tps,1/s,10,60,30,,
            e,tps_drop,percent,101,,,,
            f,tps_drop,percent,-20,,,,
            """);
    assertThat(table.violations())
        .extracting(Violation::message)
        .containsExactly(
            "b: tps -1 is negative",
            "c: tps 120 is not within 90 to 110",
            "d: tps 10 in 30 runs cannot scatter by 60",
            "e: tps_drop 101 % is more than 100 %");
  }

  @Test
  void slicesAndPeriodsAreAddedUpAgain() throws IOException {
    String header =
        "workload,profile,dom0_slice_ms,dom0_period_ms,main_vm_slice_ms,other_vm_slice_ms,"
            + "vm_period_ms,main_vms,other_vms,cpu_share_requested\n";
    Table table =
        check(
            header
                + "w,p,2,10,3,,10,a+b,,0.800\nw,q,2,10,3,,10,a+b,,0.900\nw,r,20,10,3,,10,a,,2.3");
    assertThat(table.violations().stream().filter(Violation::serious))
        .extracting(Violation::message)
        .containsExactly(
            "w q: slices / periods add up to 0.800, printed as 0.900",
            "r: dom0_slice_ms is longer than dom0_period_ms");
  }

  private Table check(String csv) throws IOException {
    Path file = Files.writeString(directory.resolve("table.csv"), csv);
    return PublishedTables.check(List.of(file)).get(0);
  }

  private static List<String> messages(String table, TableRule rule) {
    return TABLES.get(table).violations().stream()
        .filter(one -> one.rule().equals(rule.key()))
        .map(Violation::message)
        .toList();
  }

  private static Set<Integer> lines(String table, TableRule rule) {
    return TABLES.get(table).violations().stream()
        .filter(one -> one.rule().equals(rule.key()))
        .map(one -> Integer.valueOf(one.place().replaceFirst(".*:", "")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<Integer> flagged(String table, String code) throws IOException {
    Pattern flag = Pattern.compile("[,;]" + Pattern.quote(code) + "[,;]");
    List<String> lines = Files.readAllLines(StudyRulesTest.published(table));
    Set<Integer> found = new TreeSet<>();
    for (int i = 0; i < lines.size(); i++) {
      if (flag.matcher(lines.get(i)).find()) {
        found.add(i + 1);
      }
    }
    assertThat(found).isNotEmpty();
    return found;
  }
}
