package io.slicewise.report;

import io.slicewise.evidence.study.ComputingControl;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.TimeBreakdown;
import io.slicewise.report.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of an overhead study on where the time of a case goes. */
final class TimeTables {
  private TimeTables() {}

  static List<Table> of(OverheadStudy study) {
    return List.of(times(study), modes(study), rests(study), controls(study));
  }

  private static Table times(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("case"),
            Column.name("tier"),
            Column.number("total s", "total_s"),
            Column.number("user s", "user_s"),
            Column.number("system s", "system_s"),
            Column.number("iowait s", "iowait_s"),
            Column.number("steal s", "steal_s"),
            Column.number("rest s", "rest_s"));
    List<List<Cell>> rows =
        Table.rows(
            study.times(),
            TimeBreakdown::cases,
            (arm, row) ->
                List.of(
                    new Cell.Text(arm.arm()),
                    new Cell.Text(row.name()),
                    new Cell.Text(row.tier()),
                    new Cell.Fixed(row.total(), 2),
                    new Cell.Fixed(row.user(), 2),
                    new Cell.Fixed(row.sys(), 2),
                    new Cell.Fixed(row.iowait(), 2),
                    new Cell.Fixed(row.steal(), 2),
                    new Cell.Fixed(row.rest(), 2)));
    return new Table(
        "times",
        "Where the time of a case goes, seconds per execution",
        columns,
        rows,
        List.of("the rest is in no mode that was measured, and is not distributed over them"));
  }

  private static Table modes(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("mode"),
            Column.number("smallest %", "smallest"),
            Column.figure("case"),
            Column.number("median %", "median"),
            Column.number("largest %", "largest"),
            Column.figure("largest_case"),
            Column.number("base share %", "base_share"),
            Column.number("xen share %", "xen_share"));
    List<List<Cell>> rows =
        Table.rows(
            study.times(),
            TimeBreakdown::modes,
            (arm, mode) ->
                List.of(
                    new Cell.Text(arm.arm()),
                    new Cell.Text(mode.name()),
                    new Cell.Fixed(mode.smallest(), 1),
                    new Cell.Text(mode.smallestCase()),
                    new Cell.Fixed(mode.median(), 2),
                    new Cell.Fixed(mode.largest(), 1),
                    new Cell.Text(mode.largestCase()),
                    new Cell.Fixed(mode.baseShare(), 1),
                    new Cell.Fixed(mode.xenShare(), 1)));
    return new Table(
        "modes", "Slowdown by mode over the cases, and mean share of the time", columns, rows);
  }

  private static Table rests(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("tier"),
            Column.number("longest s", "longest_s"),
            Column.figure("case"),
            Column.number("least %", "least"),
            Column.number("most %", "most"));
    List<List<Cell>> rows =
        Table.rows(
            study.times(),
            TimeBreakdown::rests,
            (arm, rest) ->
                List.of(
                    new Cell.Text(arm.arm()),
                    new Cell.Text(rest.tier()),
                    new Cell.Fixed(rest.mostSeconds(), 2),
                    new Cell.Text(rest.mostCase()),
                    new Cell.Fixed(rest.least(), 1),
                    new Cell.Fixed(rest.most(), 1)));
    return new Table("rest", "Time in no mode that was measured", columns, rows);
  }

  private static Table controls(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.count("cases"),
            Column.number("user mean %", "mean"),
            Column.number("least %", "least"),
            Column.number("most %", "most"),
            Column.number("ns per n²", "ns_per_square"),
            Column.number("scatter %", "scatter"));
    List<List<Cell>> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (ComputingControl control : study.controls()) {
      rows.add(
          List.of(
              new Cell.Text(control.arm()),
              new Cell.Count(control.cases()),
              new Cell.Fixed(control.mean(), 2),
              new Cell.Fixed(control.least(), 2),
              new Cell.Fixed(control.most(), 2),
              new Cell.Fixed(1e9 * control.perSquare(), 1),
              new Cell.Fixed(control.scatter(), 2)));
      if (Math.abs(control.mean()) > ComputingControl.DOUBTFUL) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s: computing alone takes %+.1f %% longer: base and guest differ in more than Xen"
                    + " (governor, a neighbour on the same core, steal)",
                control.arm(),
                control.mean()));
      }
    }
    return new Table("control", "Control: cases that only compute", columns, rows, notes);
  }
}
