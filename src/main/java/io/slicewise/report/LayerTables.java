package io.slicewise.report;

import io.slicewise.evidence.study.DiskLayers;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.SystemCalls;
import io.slicewise.report.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of an overhead study on the disk's layers and on system calls. */
final class LayerTables {
  /** Below this share of calls and of time, kinds are summed up. */
  private static final double SMALL = 0.01;

  /** No system call takes less. */
  private static final double LEAST_SECONDS = 50e-9;

  private LayerTables() {}

  static List<Table> of(OverheadStudy study) {
    return List.of(
        disks(study), diskSums(study), calls(study, false), calls(study, true), callSums(study));
  }

  private static Table disks(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("case"),
            Column.number("base MB", "base_mb"),
            Column.number("guest MB", "guest_mb"),
            Column.number("backend MB", "backend_mb"),
            Column.number("disk MB", "disk_mb"),
            Column.number("needed MB", "needed_mb"),
            Column.number("M", "magnification"),
            Column.number("A", "amplification"),
            Column.number("iowait s", "iowait_s"),
            Column.number("xen s", "xen_s"),
            Column.number("slowdown %", "slowdown"));
    List<List<Cell>> rows =
        Table.rows(study.disks(), DiskLayers::cases, (arm, row) -> disk(arm.arm(), row));
    return new Table("disk", "Reads by layer: M = disk / guest, A = guest / needed", columns, rows);
  }

  private static Table diskSums(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.number("guest MB", "guest_mb"),
            Column.number("disk MB", "disk_mb"),
            Column.number("base and guest within MB", "spread_mb"),
            Column.count("magnified"),
            Column.figure("magnified_slower"));
    List<List<Cell>> rows =
        Table.rows(
            study.disks(),
            arm ->
                List.of(
                    new Cell.Text(arm.arm()),
                    new Cell.Fixed(arm.guestSum(), 0),
                    new Cell.Fixed(arm.diskSum(), 0),
                    new Cell.Fixed(arm.spread(), 0),
                    new Cell.Count(arm.magnified()),
                    new Cell.Text(arm.magnifiedSlower())));
    return new Table(
        "disk-sums",
        "Reads of all cases",
        columns,
        rows,
        List.of(
            String.format(
                Locale.ROOT,
                "magnified: cases with M of at least %.1f and a known slowdown",
                DiskLayers.MAGNIFIED)));
  }

  private static List<Cell> disk(String arm, DiskLayers.Row row) {
    return List.of(
        new Cell.Text(arm),
        new Cell.Text(row.name()),
        new Cell.Fixed(row.base(), 0),
        new Cell.Fixed(row.guest(), 0),
        new Cell.Fixed(row.backend(), 0),
        new Cell.Fixed(row.disk(), 0),
        new Cell.Fixed(row.needed(), 0),
        new Cell.Fixed(row.magnification(), 2),
        new Cell.Fixed(row.amplification(), 2),
        new Cell.Fixed(row.iowait(), 2),
        new Cell.Fixed(row.xenTime(), 2),
        new Cell.Fixed(row.slowdown(), 2));
  }

  private static Table calls(OverheadStudy study, boolean byKind) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name(byKind ? "kind" : "case"),
            Column.number("calls base", "base"),
            Column.number("calls xen", "xen"),
            Column.number("µs/call base", "base_us"),
            Column.number("µs/call xen", "xen_us"),
            Column.number("ratio", "ratio"),
            Column.number("time change %", "change"));
    List<List<Cell>> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (SystemCalls arm : study.calls()) {
      if (isByKind(arm, study) == byKind) {
        shown(arm, byKind).forEach(row -> rows.add(call(arm.arm(), row)));
        notes.addAll(notes(arm));
      }
    }
    return byKind
        ? new Table("syscalls-by-kind", "System calls by kind", columns, rows, notes)
        : new Table("syscalls", "System calls per execution", columns, rows, notes);
  }

  /** Whether an arm has a column more than that of the running times. */
  private static boolean isByKind(SystemCalls arm, OverheadStudy study) {
    return arm.by().stream().anyMatch(SystemCalls.KINDS::contains)
        || study.calls().stream().anyMatch(other -> other.by().size() < arm.by().size());
  }

  private static List<SystemCalls.Row> shown(SystemCalls arm, boolean byKind) {
    if (!byKind) {
      return arm.cases();
    }
    double[] times = arm.times();
    List<SystemCalls.Row> shown = new ArrayList<>();
    List<SystemCalls.Row> small = new ArrayList<>();
    for (SystemCalls.Row row : arm.cases()) {
      boolean few = row.base() < SMALL * arm.baseSum() && row.xen() < SMALL * arm.xenSum();
      boolean quick = !(row.baseTime() >= SMALL * times[0]) && !(row.xenTime() >= SMALL * times[1]);
      (few && quick ? small : shown).add(row);
    }
    if (!small.isEmpty()) {
      shown.add(SystemCalls.Row.sum("other", small));
    }
    return shown;
  }

  private static List<Cell> call(String arm, SystemCalls.Row row) {
    return List.of(
        new Cell.Text(arm),
        new Cell.Text(row.name()),
        new Cell.Fixed(row.base(), 0),
        new Cell.Fixed(row.xen(), 0),
        new Cell.Fixed(1e6 * row.baseCost(), 3),
        new Cell.Fixed(1e6 * row.xenCost(), 3),
        new Cell.Fixed(row.xenCost() / row.baseCost(), 2),
        new Cell.Fixed(row.change(), 1));
  }

  private static List<String> notes(SystemCalls arm) {
    return arm.leastCost() < LEAST_SECONDS
        ? List.of(
            String.format(
                Locale.ROOT,
                "%s: as little as %.0f ns per call: no system call takes less than 50 ns, so the"
                    + " times are clock ticks and not durations",
                arm.arm(),
                1e9 * arm.leastCost()))
        : List.of();
  }

  private static Table callSums(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.count("cases"),
            Column.number("calls base", "base"),
            Column.number("calls xen", "xen"),
            Column.number("commonest difference", "common_difference"),
            Column.count("common_cases"),
            Column.number("of system time base %", "base_share"),
            Column.number("xen %", "xen_share"));
    List<List<Cell>> rows =
        Table.rows(
            study.calls(),
            arm ->
                List.of(
                    new Cell.Text(arm.arm()),
                    new Cell.Count(arm.cases().size()),
                    new Cell.Fixed(arm.baseSum(), 0),
                    new Cell.Fixed(arm.xenSum(), 0),
                    new Cell.Fixed(arm.commonDifference(), 0),
                    new Cell.Count(arm.commonCases()),
                    new Cell.Fixed(arm.shareBase(), 1),
                    new Cell.Fixed(arm.shareXen(), 1)));
    return new Table("syscall-sums", "System calls of all cases", columns, rows);
  }
}
