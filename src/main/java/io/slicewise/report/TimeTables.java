package io.slicewise.report;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.study.ComputingControl;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.TimeBreakdown;
import java.util.List;

/** The tables of an overhead study on where the time of a case goes. */
final class TimeTables {
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
