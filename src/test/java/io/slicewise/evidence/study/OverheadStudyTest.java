package io.slicewise.evidence.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.DiskLayers.DiskReads;
import io.slicewise.evidence.study.PageFaults.FaultCost;
import io.slicewise.evidence.study.PageFaults.FaultShare;
import io.slicewise.evidence.study.Slowdowns.OverallSlowdown;
import io.slicewise.evidence.study.StudyData.Pair;
import io.slicewise.evidence.study.TimeBreakdown.TimeModes;
import io.slicewise.stats.Correlation;
import io.slicewise.stats.table.BoxSummary;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects the overhead study's formulas: from the inputs of a 2007 thesis's tables they give every
 * quantity that was worked out of them by hand, to its last digit.
 */
class OverheadStudyTest {
  private static final Cells ALL = PublishedStudies.cells("minhas-2007");
  private static final String EXPERIMENT = "experiment";
  private static final String TIME = "runtime";

  private static Cells arm(String name) {
    return ALL.where(EXPERIMENT, name);
  }

  private static List<Pair> pairs(String arm, String... metrics) {
    return arm(arm).pairs("base", "xen", metrics);
  }

  private static Pair pair(String arm, String query, String... metrics) {
    return arm(arm).where("query", query).pairs("base", "xen", metrics).get(0);
  }

  private static double median(double... values) {
    return BoxSummary.of(values).median();
  }

  @ParameterizedTest
  @CsvSource({
    "warm, 29.5, 28.8, 20.74, 6.58, 60.03",
    "single_connection, 9.8, 9.7, 8.8, -0.42, 26.23",
    "cold, 6.2, 5.5, -0.5, -22.73, 22.35",
    "single_connection_old_versions, 7.62, 7.3, 6.8, -4.28, 23.92"
  })
  void overallSlowdownThreeWays(
      String arm, double mean, double geometric, double ofSums, double least, double most) {
    List<Pair> pairs = pairs(arm, TIME);
    OverallSlowdown overall = OverallSlowdown.of(pairs, TIME);
    assertThat(pairs).hasSize(22);
    assertThat(overall.mean()).isCloseTo(mean, within(0.08));
    assertThat(overall.geometric()).isCloseTo(geometric, within(0.0501));
    assertThat(overall.ofSums()).isCloseTo(ofSums, within(0.0501));
    assertThat(overall.smallest()).isCloseTo(least, within(1.0));
    assertThat(overall.largest()).isCloseTo(most, within(1.0));
  }

  @Test
  void slowdownsOfModes() {
    List<Pair> warm = pairs("warm", "user", "sys");
    double[] system = Pair.each(warm, pair -> pair.slowdown("sys"));
    assertThat(pair("warm", "Q13", "sys").slowdown("sys")).isCloseTo(44.5, within(0.9));
    assertThat(Arrays.stream(system).min().orElseThrow())
        .isEqualTo(pair("warm", "Q13", "sys").slowdown("sys"));
    assertThat(median(Pair.each(warm, pair -> pair.slowdown("user"))))
        .isCloseTo(9.35, within(0.006));
    assertThat(pair("warm", "Q17", "user").slowdown("user")).isCloseTo(-28.6, within(0.05));
    assertThat(pair("warm", "Q3", "user").slowdown("user")).isCloseTo(21.0, within(0.05));
  }

  /** The table of system calls has system time with more digits than the breakdown. */
  @Test
  void slowdownOfSystemTime() {
    List<Pair> calls = pairs("warm", "syscalls", "sys");
    assertThat(median(Pair.each(calls, pair -> pair.slowdown("sys"))))
        .isCloseTo(141.5, within(0.051));
    assertThat(pair("warm", "Q11", "sys").slowdown("sys")).isCloseTo(209.8, within(0.051));
  }

  @Test
  void shareOfWaitingForTheDisk() {
    List<Pair> cold = pairs("cold", TIME, "iowait");
    assertThat(Pair.sum(cold, pair -> TimeModes.share(pair.base(), "iowait")) / cold.size())
        .isCloseTo(76.8, within(0.051));
    assertThat(Pair.sum(cold, pair -> TimeModes.share(pair.other(), "iowait")) / cold.size())
        .isCloseTo(79.1, within(0.051));
  }

  @Test
  void timeInNoMode() {
    StudyCell first = pair("cold", "Q19", TIME, "iowait").other();
    assertThat(100 * TimeModes.rest(first) / first.value(TIME)).isCloseTo(25.8, within(0.051));
    StudyCell warm = pair("warm", "Q1", TIME, "user").other();
    assertThat(TimeModes.rest(warm)).isCloseTo(0.16, within(0.0051));
  }

  @Test
  void systemCalls() {
    List<Pair> calls = pairs("warm", "syscalls", "syscall_time", "sys");
    assertThat(Pair.sum(calls, pair -> pair.base().value("syscalls"))).isEqualTo(400_488);
    assertThat(Pair.sum(calls, pair -> pair.other().value("syscalls"))).isEqualTo(400_078);
    assertThat(calls).filteredOn(pair -> pair.difference("syscalls") == -17).hasSize(16);
    assertThat(
            100
                * Pair.sum(calls, pair -> pair.base().value("syscall_time"))
                / Pair.sum(calls, pair -> pair.base().value("sys")))
        .isCloseTo(1.1, within(0.051));
    assertThat(
            100
                * Pair.sum(calls, pair -> pair.other().value("syscall_time"))
                / Pair.sum(calls, pair -> pair.other().value("sys")))
        .isCloseTo(0.7, within(0.051));
  }

  @Test
  void costOfAFault() {
    List<Pair> faults = pairs("warm", "page_faults", "sys");
    assertThat(Pair.sum(faults, pair -> pair.base().value("page_faults"))).isEqualTo(4_589_332);
    assertThat(Pair.sum(faults, pair -> pair.other().value("page_faults"))).isEqualTo(4_559_021);
    Pair thirteen = pair("warm", "Q13", "page_faults", "sys");
    assertThat(1e6 * FaultCost.ofSystemTime(thirteen.base())).isCloseTo(7.65, within(0.02));
    assertThat(1e6 * FaultCost.ofSystemTime(thirteen.other())).isCloseTo(11.1, within(0.06));

    FaultCost base = FaultCost.ofConnections(across("warm", "single_connection", "base"));
    FaultCost xen = FaultCost.ofConnections(across("warm", "single_connection", "xen"));
    assertThat(1e6 * base.bySums()).isCloseTo(1.75, within(0.0051));
    assertThat(1e6 * xen.bySums()).isCloseTo(4.22, within(0.0051));
    assertThat(1e6 * base.byMedian()).isCloseTo(1.79, within(0.0051));
    assertThat(1e6 * xen.byMedian()).isCloseTo(4.48, within(0.0051));
  }

  @Test
  void faultsAndSlowdown() {
    List<Pair> warm = pairs("warm", TIME, "page_faults", "sys");
    FaultShare share = FaultShare.of(warm);
    assertThat(share.correlation().pearson()).isCloseTo(0.90, within(0.0051));
    assertThat(share.correlation().spearman()).isCloseTo(0.93, within(0.0051));
    assertThat(share.correlation().low()).isCloseTo(0.78, within(0.0051));
    assertThat(share.correlation().high()).isCloseTo(0.96, within(0.0051));
    assertThat(1e6 * share.b()).isCloseTo(3.1, within(0.051));
    assertThat(1e6 * share.bError()).isCloseTo(0.24, within(0.0051));
    assertThat(100 * share.a()).isCloseTo(5, within(0.51));
    assertThat(1e6 * share.systemB()).isCloseTo(1.99, within(0.0051));
    assertThat(1e6 * share.systemBError()).isCloseTo(0.09, within(0.0051));

    double tool = 3.5e-6 - 1.67e-6;
    assertThat(FaultShare.ofAdded(warm, TIME, tool)).isCloseTo(46, within(0.51));
    assertThat(FaultShare.ofAdded(warm, "sys", tool)).isCloseTo(83, within(0.51));
    assertThat(FaultShare.ofAdded(warm, TIME, share.b())).isCloseTo(78, within(0.51));
    double kept = Pair.sum(pairs("single_connection", TIME), pair -> pair.difference(TIME));
    double added = Pair.sum(warm, pair -> pair.difference(TIME));
    assertThat(100 * (1 - kept / added)).isCloseTo(61, within(0.51));
  }

  private static double magnification(Pair pair) {
    return DiskReads.of(arm("cold"), pair.other()).magnification();
  }

  @Test
  void diskReads() {
    List<Pair> cold = pairs("cold", TIME, "disk_read");
    assertThat(Pair.sum(cold, pair -> pair.other().value("disk_read"))).isEqualTo(18_125);
    assertThat(Pair.sum(cold, pair -> DiskReads.of(arm("cold"), pair.other()).disk()))
        .isEqualTo(22_379);
    Map.of("Q21", 1.93, "Q20", 1.91, "Q14", 1.85, "Q17", 1.80, "Q9", 1.76, "Q8", 1.53, "Q4", 1.46)
        .forEach(
            (query, expected) ->
                assertThat(magnification(pair("cold", query, TIME)))
                    .as(query)
                    .isCloseTo(expected, within(0.0051)));
    Correlation slowdown =
        Correlation.of(
            Pair.each(cold, OverheadStudyTest::magnification),
            Pair.each(cold, pair -> pair.slowdown(TIME)));
    assertThat(slowdown.pearson()).isCloseTo(-0.25, within(0.0051));
    assertThat(slowdown.spearman()).isCloseTo(-0.38, within(0.0051));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1.02, 1.00",
    "10, 1.02, 1.00",
    "50, 1.16, 1.35",
    "100, 2.17, 1.01",
    "200, 1.97, 1.02",
    "400, 1.71, 1.06",
    "800, 2.21, 1.08",
    "1000, 2.35, 1.06",
    "2000, 2.39, 1.12",
    "4000, 2.30, 1.25",
    "8000, 2.33, 1.50",
    "10000, 2.00, 2.00"
  })
  void prefetchMagnification(String offset, double magnification, double amplification) {
    Cells cells = ALL.where("offset", offset);
    StudyCell guest =
        cells.all().stream().filter(cell -> cell.tier().equals("xen")).findFirst().orElseThrow();
    DiskReads reads = DiskReads.of(cells, guest);
    assertThat(reads.magnification()).isCloseTo(magnification, within(0.0051));
    assertThat(reads.amplification()).isCloseTo(amplification, within(0.0051));
    StudyCell actual = cells.find(guest.of(), "actual").orElseThrow();
    assertThat(
            DiskReads.needed(actual.value("heap_blocks_read"), actual.value("index_blocks_read")))
        .isCloseTo(reads.needed(), within(0.6));
  }

  @Test
  void sortingAsAControl() {
    List<Pair> sorts = pairs("bubble_sort", "user");
    double[] slowdowns = Pair.each(sorts, pair -> pair.slowdown("user"));
    assertThat(Arrays.stream(slowdowns).average().orElseThrow()).isCloseTo(3.60, within(0.0051));
    assertThat(Arrays.stream(slowdowns).min().orElseThrow()).isCloseTo(3.51, within(0.0051));
    assertThat(Arrays.stream(slowdowns).max().orElseThrow()).isCloseTo(3.74, within(0.0051));
  }

  @ParameterizedTest
  @CsvSource({
    "single_connection, single_connection_old_versions, 0.33",
    "warm, single_connection, 0.46",
    "warm, cold, -0.01"
  })
  void ranksOfQueriesAreNoPropertyOfQueries(String one, String other, double spearman) {
    assertThat(
            Correlation.of(
                    Pair.each(pairs(one, TIME), pair -> pair.slowdown(TIME)),
                    Pair.each(pairs(other, TIME), pair -> pair.slowdown(TIME)))
                .spearman())
        .isCloseTo(spearman, within(0.0051));
  }

  @Test
  void newerVersions() {
    List<Pair> base = across("single_connection_old_versions", "single_connection", "base");
    List<Pair> xen = across("single_connection_old_versions", "single_connection", "xen");
    assertThat(base).filteredOn(pair -> pair.difference(TIME) < 0).hasSize(18);
    assertThat(xen).filteredOn(pair -> pair.difference(TIME) < 0).hasSize(11);
  }

  /** Eight of the 22 queries spent 0.00 s in the base's kernel. */
  @Test
  void sharesOfTimeAreOverAllCasesAlsoThoseWithoutAny() {
    TimeBreakdown.Mode sys =
        TimeBreakdown.of(StudyData.published(ALL)).stream()
            .filter(arm -> arm.arm().equals("single_connection"))
            .flatMap(arm -> arm.modes().stream())
            .filter(mode -> mode.name().equals("sys"))
            .findFirst()
            .orElseThrow();
    assertThat(sys.baseShare()).isCloseTo(1.0, within(0.051));
    assertThat(sys.xenShare()).isCloseTo(1.9, within(0.051));
  }

  /** The same cases in another experiment, on one tier. */
  private static List<Pair> across(String first, String second, String tier) {
    return ALL.where(EXPERIMENT, first).all().stream()
        .filter(cell -> cell.tier().equals(tier))
        .flatMap(
            cell -> {
              Map<String, String> of = new TreeMap<>(cell.of());
              of.put(EXPERIMENT, second);
              return ALL.find(of, tier).stream()
                  .map(other -> new Pair(cell, other, new StudyCell(of, "", Map.of())));
            })
        .toList();
  }
}
