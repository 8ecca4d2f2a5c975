package io.slicewise.report.study;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.study.ArmAgreement;
import io.slicewise.evidence.study.ComputingControl;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.Slowdowns;
import io.slicewise.evidence.study.TimeBreakdown;
import io.slicewise.report.figure.StudyFigures;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.ChangeText;
import io.slicewise.report.table.Numbers;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.stats.power.Resolution;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** The tables of an overhead study. */
public final class OverheadTables {
  private static final List<String> UNKNOWN =
      List.of(
          "unknown here: why user time changes (caches or page walks; needs hardware counters), the"
              + " time that Xen spends for a guest (inside the guest's user and system time), the"
              + " disk's own cache, and dom0's other work",
          "the interval of an overall slowdown holds for these cases, not for queries in general");

  private OverheadTables() {}

  /** Returns the study of a user's runs. */
  public static StudyReport of(OverheadStudy study, List<String> notes) {
    List<String> all = new ArrayList<>(notes);
    all.addAll(UNKNOWN);
    return new StudyReport(title(study), tables(study), all).with(StudyFigures.of(study));
  }

  /** Returns the study of published tables, with the derived cells that deviate. */
  public static StudyReport of(
      OverheadStudy study, List<PublishedTables.Table> checked, int files) {
    List<Table> tables = tables(study);
    tables.add(RebuiltTables.of(checked));
    List<String> all = new ArrayList<>();
    all.add(
        "from %d published tables; without repetitions there are no intervals".formatted(files));
    all.addAll(UNKNOWN);
    return new StudyReport(title(study), tables, all).with(StudyFigures.of(study));
  }

  private static String title(OverheadStudy study) {
    List<String> arms = new ArrayList<>();
    for (Slowdowns arm : study.slowdowns()) {
      String interval =
          Resolution.isTooWide(arm.low(), arm.high())
              ? ", interval " + Resolution.NONE
              : Double.isFinite(arm.low())
                  ? Phrase.of(
                      " [%+.1f, %+.1f], %d pairs of boots", arm.low(), arm.high(), arm.blocks())
                  : "";
      arms.add(
          Phrase.of(
              "%s: %+.1f %%%s, the geometric mean of %s",
              arm.arm(),
              arm.overall().geometric(),
              interval,
              Plural.of(arm.cases().size(), "case")));
    }
    return arms.isEmpty()
        ? "OVERHEAD  no running times on both systems"
        : "OVERHEAD  " + String.join("; ", arms);
  }

  private static List<Table> tables(OverheadStudy study) {
    List<Table> tables = new ArrayList<>();
    tables.add(overall(study));
    tables.add(slowdowns(study));
    tables.addAll(TimeTables.of(study));
    tables.addAll(FaultTables.of(study));
    tables.addAll(LayerTables.of(study));
    tables.add(agreements(study));
    return tables;
  }

  private static Table overall(OverheadStudy study) {
    int digits =
        Numbers.decimals(
            study.slowdowns().stream()
                .flatMapToDouble(arm -> DoubleStream.of(arm.baseSum(), arm.xenSum())));
    return TableBuilder.of(study.slowdowns())
        .name("arm", Slowdowns::arm)
        .count("cases", arm -> arm.cases().size())
        .number("base s", "base_s", digits, Slowdowns::baseSum)
        .number("xen s", "xen_s", digits, Slowdowns::xenSum)
        .number("geometric %", "geometric", 2, arm -> arm.overall().geometric())
        .number("low %", "low", 2, Slowdowns::low)
        .number("high %", "high", 2, Slowdowns::high)
        .number("mean of ratios %", "mean_of_ratios", 2, arm -> arm.overall().mean())
        .number("ratio of sums %", "ratio_of_sums", 2, arm -> arm.overall().ofSums())
        .figure("smallest", arm -> named(arm.smallest()))
        .figure("largest", arm -> named(arm.largest()))
        .figure("slower", arm -> counted(arm.slower(), arm.slowerMean()))
        .figure("faster", arm -> counted(arm.faster(), arm.fasterMean()))
        .table("overall", "Overall slowdown in the guest, in three ways");
  }

  private static String named(Slowdowns.Row row) {
    return row.name() + " " + Numbers.fixed(row.percent(), 2);
  }

  private static String counted(int cases, double mean) {
    return cases == 0 ? "0" : cases + " (" + Numbers.fixed(mean, 1) + ")";
  }

  private static Table slowdowns(OverheadStudy study) {
    int digits =
        Numbers.decimals(
            study.slowdowns().stream()
                .flatMap(arm -> arm.cases().stream())
                .flatMapToDouble(row -> DoubleStream.of(row.base(), row.xen())));
    return TableBuilder.of(study.slowdowns(), Slowdowns::cases)
        .name("arm", row -> row.whole().arm())
        .name("case", row -> row.part().name())
        .number("base s", "base_s", digits, row -> row.part().base())
        .number("xen s", "xen_s", digits, row -> row.part().xen())
        .number("abs s", "abs_s", digits, row -> row.part().added())
        .change("rel % (95 %)", "rel", row -> change(row.part()))
        .figure("p Holm", row -> ChangeText.p(row.part().p()))
        .figure(
            "verdict", row -> row.part().verdict().map(ChangeText::verdict).orElse(Numbers.UNKNOWN))
        .table("slowdown", "Slowdown by case");
  }

  private static Cell.Change change(Slowdowns.Row row) {
    return new Cell.Change(row.percent(), row.low(), row.high());
  }

  private static Table agreements(OverheadStudy study) {
    return TableBuilder.of(study.agreements())
        .name("arm", ArmAgreement::first)
        .name("other_arm", ArmAgreement::second)
        .count("cases", ArmAgreement::cases)
        .number("Spearman", "spearman", 2, ArmAgreement::spearman)
        .count("base_faster", both -> both.base().first())
        .count("base_slower", both -> both.base().second())
        .count("xen_faster", both -> both.xen().first())
        .count("xen_slower", both -> both.xen().second())
        .table(
            "arms",
            "Whether the same cases suffer most in two arms (rank correlation of slowdowns)",
            List.of(
                "faster, slower: the number of cases that take less, and more, time in arm than in"
                    + " other_arm",
                "which case suffers most differs from arm to arm, so it is not a property of the"
                    + " case"));
  }

  /** The tables of an overhead study on where the time of a case goes. */
  private static final class TimeTables {
    private static final double NANO = 1e9;

    private TimeTables() {}

    static List<Table> of(OverheadStudy study) {
      return List.of(times(study), modes(study), rests(study), controls(study));
    }

    /** Returns the decimals of seconds, by the shortest case. */
    private static int digits(OverheadStudy study) {
      return Numbers.decimals(
          study.times().stream()
              .flatMap(arm -> arm.cases().stream())
              .mapToDouble(TimeBreakdown.Row::total));
    }

    private static Table times(OverheadStudy study) {
      int digits = digits(study);
      return TableBuilder.of(study.times(), TimeBreakdown::cases)
          .name("arm", row -> row.whole().arm())
          .name("case", row -> row.part().name())
          .name("tier", row -> row.part().tier())
          .number("total s", "total_s", digits, row -> row.part().total())
          .number("user s", "user_s", digits, row -> row.part().user())
          .number("system s", "system_s", digits, row -> row.part().sys())
          .number("iowait s", "iowait_s", digits, row -> row.part().iowait())
          .number("steal s", "steal_s", digits, row -> row.part().steal())
          .number("rest s", "rest_s", digits, row -> row.part().rest())
          .number("rest %", "rest_share", 1, row -> 100 * row.part().rest() / row.part().total())
          .number("CPU wait s", "cpu_wait_s", digits, row -> row.part().cpuWait())
          .table("times", "Where the time of a case goes, seconds per execution", remarks(study));
    }

    private static List<String> remarks(OverheadStudy study) {
      boolean reported =
          study.times().stream()
              .flatMap(arm -> arm.cases().stream())
              .anyMatch(row -> Double.isFinite(row.cpuWait()));
      String rest = "the rest is in no mode that was measured, and is not distributed over them";
      return reported
          ? List.of(
              rest,
              "CPU wait: how long PostgreSQL was ready and had no CPU in the executions that it"
                  + " reported, whose rest it explains")
          : List.of(rest);
    }

    private static Table modes(OverheadStudy study) {
      return TableBuilder.of(study.times(), TimeBreakdown::modes)
          .name("arm", row -> row.whole().arm())
          .name("mode", row -> row.part().name())
          .number("smallest %", "smallest", 1, row -> row.part().smallest())
          .figure("case", row -> row.part().smallestCase())
          .number("median %", "median", 2, row -> row.part().median())
          .number("largest %", "largest", 1, row -> row.part().largest())
          .figure("largest_case", row -> row.part().largestCase())
          .number("base share %", "base_share", 1, row -> row.part().baseShare())
          .number("xen share %", "xen_share", 1, row -> row.part().xenShare())
          .table("modes", "Slowdown by mode over the cases, and mean share of the time");
    }

    private static Table rests(OverheadStudy study) {
      return TableBuilder.of(study.times(), TimeBreakdown::rests)
          .name("arm", row -> row.whole().arm())
          .name("tier", row -> row.part().tier())
          .number("longest s", "longest_s", digits(study), row -> row.part().mostSeconds())
          .figure("case", row -> row.part().mostCase())
          .number("least %", "least", 1, row -> row.part().least())
          .number("most %", "most", 1, row -> row.part().most())
          .table("rest", "Time in no mode that was measured");
    }

    private static Table controls(OverheadStudy study) {
      return TableBuilder.of(study.controls())
          .name("arm", ComputingControl::arm)
          .count("cases", ComputingControl::cases)
          .number("user mean %", "mean", 2, ComputingControl::mean)
          .number("least %", "least", 2, ComputingControl::least)
          .number("most %", "most", 2, ComputingControl::most)
          .number("ns per n²", "ns_per_square", 1, control -> NANO * control.perSquare())
          .number("scatter %", "scatter", 2, ComputingControl::scatter)
          .table(
              "control",
              "Control: cases that only compute",
              study.controls().stream()
                  .filter(control -> Math.abs(control.mean()) > ComputingControl.DOUBTFUL)
                  .map(TimeTables::doubt)
                  .toList());
    }

    private static String doubt(ComputingControl control) {
      return Phrase.of(
          "%s: computing alone takes %+.1f %% longer: base and guest differ in more than Xen"
              + " (governor, a neighbour on the same core, steal)",
          control.arm(), control.mean());
    }
  }
}
