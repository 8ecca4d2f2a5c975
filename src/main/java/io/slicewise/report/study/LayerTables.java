package io.slicewise.report.study;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.study.DiskLayers;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.SystemCalls;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import java.util.ArrayList;
import java.util.List;

/** The tables of an overhead study on the disk's layers and on system calls. */
final class LayerTables {
  private static final double MICRO = 1e6;

  /** Below this share of calls and of time, kinds are summed up. */
  private static final double SMALL = 0.01;

  /** No system call takes less. */
  private static final double LEAST_SECONDS = 50e-9;

  private LayerTables() {}

  static List<Table> of(OverheadStudy study) {
    return List.of(
        disks(study),
        diskSums(study),
        blocks(study),
        calls(study, false),
        calls(study, true),
        callSums(study));
  }

  private static Table disks(OverheadStudy study) {
    return TableBuilder.of(study.disks(), DiskLayers::cases)
        .name("arm", row -> row.whole().arm())
        .name("case", row -> row.part().name())
        .number("base MB", "base_mb", 0, row -> row.part().base())
        .number("guest MB", "guest_mb", 0, row -> row.part().guest())
        .number("backend MB", "backend_mb", 0, row -> row.part().backend())
        .number("disk MB", "disk_mb", 0, row -> row.part().disk())
        .number("needed MB", "needed_mb", 0, row -> row.part().needed())
        .number("M", "magnification", 2, row -> row.part().magnification())
        .number("A", "amplification", 2, row -> row.part().amplification())
        .number("iowait s", "iowait_s", 2, row -> row.part().iowait())
        .number("xen s", "xen_s", 2, row -> row.part().xenTime())
        .number("slowdown %", "slowdown", 2, row -> row.part().slowdown())
        .table("disk", "Reads by layer: M = disk / guest, A = guest / needed");
  }

  private static Table diskSums(OverheadStudy study) {
    return TableBuilder.of(study.disks())
        .name("arm", DiskLayers::arm)
        .number("guest MB", "guest_mb", 0, DiskLayers::guestSum)
        .number("disk MB", "disk_mb", 0, DiskLayers::diskSum)
        .number("base and guest within MB", "spread_mb", 0, DiskLayers::spread)
        .count("magnified", DiskLayers::magnified)
        .figure("magnified_slower", DiskLayers::magnifiedSlower)
        .table(
            "disk-sums",
            "Reads of all cases",
            List.of(
                Phrase.of(
                    "magnified: cases with M of at least %.1f and a known slowdown",
                    DiskLayers.MAGNIFIED)));
  }

  private static Table blocks(OverheadStudy study) {
    return TableBuilder.of(study.disks(), DiskLayers::counted)
        .name("arm", row -> row.whole().arm())
        .name("case", row -> row.part().name())
        .number("read", 0, row -> row.part().blocks())
        .number("found", 0, row -> row.part().hits())
        .number("rows touched", "rows", 0, row -> row.part().blocks() + row.part().hits())
        .table(
            "blocks",
            "Blocks of tables: read by the database, or found in its buffers",
            List.of("rows touched: where an index fetches each row, it is read or found once"));
  }

  private static Table calls(OverheadStudy study, boolean byKind) {
    List<SystemCalls> arms =
        study.calls().stream().filter(arm -> isByKind(arm, study) == byKind).toList();
    return TableBuilder.of(arms, arm -> shown(arm, byKind))
        .name("arm", row -> row.whole().arm())
        .name(byKind ? "kind" : "case", row -> row.part().name())
        .number("calls base", "base", 0, row -> row.part().base())
        .number("calls xen", "xen", 0, row -> row.part().xen())
        .number("µs/call base", "base_us", 3, row -> MICRO * row.part().baseCost())
        .number("µs/call xen", "xen_us", 3, row -> MICRO * row.part().xenCost())
        .number("ratio", 2, row -> row.part().xenCost() / row.part().baseCost())
        .number("time change %", "change", 1, row -> row.part().change())
        .table(
            byKind ? "syscalls-by-kind" : "syscalls",
            byKind ? "System calls by kind" : "System calls per execution",
            arms.stream().flatMap(arm -> notes(arm).stream()).toList());
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

  private static List<String> notes(SystemCalls arm) {
    return arm.leastCost() < LEAST_SECONDS
        ? List.of(
            Phrase.of(
                "%s: as little as %.0f ns per call: no system call takes less than 50 ns, so the"
                    + " times are clock ticks and not durations",
                arm.arm(), 1e9 * arm.leastCost()))
        : List.of();
  }

  private static Table callSums(OverheadStudy study) {
    return TableBuilder.of(study.calls())
        .name("arm", SystemCalls::arm)
        .count("cases", arm -> arm.cases().size())
        .number("calls base", "base", 0, SystemCalls::baseSum)
        .number("calls xen", "xen", 0, SystemCalls::xenSum)
        .number("commonest difference", "common_difference", 0, SystemCalls::commonDifference)
        .count("common_cases", SystemCalls::commonCases)
        .number("of system time base %", "base_share", 1, SystemCalls::shareBase)
        .number("xen %", "xen_share", 1, SystemCalls::shareXen)
        .table("syscall-sums", "System calls of all cases");
  }
}
