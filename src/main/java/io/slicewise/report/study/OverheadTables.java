package io.slicewise.report.study;

import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.study.DiskLayers;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.OverheadStudy.ArmAgreement;
import io.slicewise.evidence.study.OverheadStudy.ComputingControl;
import io.slicewise.evidence.study.OverheadStudy.ConnectionCost;
import io.slicewise.evidence.study.PageFaults;
import io.slicewise.evidence.study.PageFaults.Explained;
import io.slicewise.evidence.study.PageFaults.FaultCost;
import io.slicewise.evidence.study.Slowdowns;
import io.slicewise.evidence.study.SystemCalls;
import io.slicewise.evidence.study.TimeBreakdown;
import io.slicewise.report.figure.StudyFigures;
import io.slicewise.report.study.StudyReport.RebuiltTables;
import io.slicewise.report.table.ChangeText;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.stats.Correlation;
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
        NumberText.decimals(
            study.slowdowns().stream()
                .flatMapToDouble(arm -> DoubleStream.of(arm.sums().base(), arm.sums().xen())));
    return TableBuilder.of(study.slowdowns())
        .name("arm", Slowdowns::arm)
        .count("cases", arm -> arm.cases().size())
        .number("base s", "base_s", digits, arm -> arm.sums().base())
        .number("xen s", "xen_s", digits, arm -> arm.sums().xen())
        .number("geometric %", "geometric", 2, arm -> arm.overall().geometric())
        .number("low %", "low", 2, Slowdowns::low)
        .number("high %", "high", 2, Slowdowns::high)
        .number("mean of ratios %", "mean_of_ratios", 2, arm -> arm.overall().mean())
        .number("ratio of sums %", "ratio_of_sums", 2, arm -> arm.overall().ofSums())
        .figure("smallest", arm -> named(arm.smallest()))
        .figure("largest", arm -> named(arm.largest()))
        .figure("slower", arm -> counted(arm.directions().slower(), arm.directions().slowerMean()))
        .figure("faster", arm -> counted(arm.directions().faster(), arm.directions().fasterMean()))
        .table("overall", "Overall slowdown in the guest, in three ways");
  }

  private static String named(Slowdowns.Row row) {
    return row.name() + " " + NumberText.fixed(row.change().percent(), 2);
  }

  private static String counted(int cases, double mean) {
    return cases == 0 ? "0" : cases + " (" + NumberText.fixed(mean, 1) + ")";
  }

  private static Table slowdowns(OverheadStudy study) {
    int digits =
        NumberText.decimals(
            study.slowdowns().stream()
                .flatMap(arm -> arm.cases().stream())
                .flatMapToDouble(row -> DoubleStream.of(row.base(), row.xen())));
    return TableBuilder.of(study.slowdowns(), Slowdowns::cases)
        .name("arm", row -> row.whole().arm())
        .name("case", row -> row.part().name())
        .number("base s", "base_s", digits, row -> row.part().base())
        .number("xen s", "xen_s", digits, row -> row.part().xen())
        .number("abs s", "abs_s", digits, row -> row.part().added())
        .change("rel % (95 %)", "rel", row -> row.part().change())
        .figure("p Holm", row -> ChangeText.p(row.part().p()))
        .figure(
            "verdict",
            row -> row.part().verdict().map(ChangeText::verdict).orElse(NumberText.UNKNOWN))
        .table("slowdown", "Slowdown by case");
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
      return NumberText.decimals(
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

  /** The tables of an overhead study on page faults. */
  private static final class FaultTables {
    private static final double MICRO = 1e6;

    private FaultTables() {}

    static List<Table> of(OverheadStudy study) {
      return List.of(
          faults(study),
          sums(study),
          correlations(study),
          costs(study),
          explained(study),
          fits(study));
    }

    private static Table faults(OverheadStudy study) {
      return TableBuilder.of(study.faults(), PageFaults::cases)
          .name("arm", row -> row.whole().arm())
          .name("case", row -> row.part().name())
          .number("base", 0, row -> row.part().base())
          .number("xen", 0, row -> row.part().xen())
          .number("diff %", "difference", 1, row -> row.part().difference())
          .number("xen /s", "rate", 0, row -> row.part().rate())
          .number("base µs sys/fault", "base_cost_us", 2, row -> MICRO * row.part().baseCost())
          .number("xen µs sys/fault", "xen_cost_us", 2, row -> MICRO * row.part().xenCost())
          .number("slowdown %", "slowdown", 2, row -> row.part().slowdown())
          .table("faults", "Page faults per execution");
    }

    private static Table sums(OverheadStudy study) {
      return TableBuilder.of(study.faults())
          .name("arm", PageFaults::arm)
          .number("base", 0, PageFaults::baseSum)
          .number("xen", 0, PageFaults::xenSum)
          .number("alike within %", "alike", 1, PageFaults::alike)
          .figure("unlike", arm -> String.join(", ", arm.unlike()))
          .table("fault-sums", "Page faults of all cases");
    }

    /** A correlation with the slowdown in an arm. */
    private record Correlated(String arm, String of, Correlation correlation) {}

    private static Table correlations(OverheadStudy study) {
      List<Correlated> rows = new ArrayList<>();
      for (PageFaults arm : study.faults()) {
        arm.share()
            .map(share -> new Correlated(arm.arm(), "fault rate", share.correlation()))
            .ifPresent(rows::add);
      }
      for (DiskLayers arm : study.disks()) {
        arm.slowdown().map(found -> new Correlated(arm.arm(), "M", found)).ifPresent(rows::add);
      }
      return TableBuilder.of(rows)
          .name("arm", Correlated::arm)
          .name("of", Correlated::of)
          .number("Pearson", "pearson", 2, row -> row.correlation().pearson())
          .number("low", 2, row -> row.correlation().low())
          .number("high", 2, row -> row.correlation().high())
          .number("Spearman", "spearman", 2, row -> row.correlation().spearman())
          .count("n", row -> row.correlation().n())
          .table(
              "correlations",
              "Correlation with the slowdown, with Fisher's interval",
              List.of(
                  "the cases were selected, share tables and plans, and are not independent; the"
                      + " guest's time is in both the fault rate and the slowdown, so part of the"
                      + " correlation is arithmetic"));
    }

    /** The cost of a page fault in seconds, by a method. */
    private record Cost(String arm, String method, double base, double xen, String remark) {}

    private static Table costs(OverheadStudy study) {
      List<Cost> rows = new ArrayList<>();
      for (PageFaults arm : study.faults()) {
        PageFaults.Cost base = arm.baseCost();
        PageFaults.Cost xen = arm.xenCost();
        String outside =
            base.outside().isEmpty() ? "" : "without " + String.join(", ", base.outside());
        String outsideXen =
            xen.outside().isEmpty()
                ? ""
                : ", in the guest without " + String.join(", ", xen.outside());
        String outsides = outside + outsideXen;
        rows.add(new Cost(arm.arm(), "system time, least", base.least(), xen.least(), ""));
        rows.add(new Cost(arm.arm(), "system time, median", base.median(), xen.median(), ""));
        rows.add(new Cost(arm.arm(), "system time, most", base.most(), xen.most(), outsides));
      }
      for (ConnectionCost cost : study.costs().connections()) {
        FaultCost base = cost.base();
        FaultCost xen = cost.xen();
        String arm = cost.arm();
        String against = "against " + cost.kept();
        rows.add(new Cost(arm, "connection, sums", base.bySums(), xen.bySums(), against));
        rows.add(new Cost(arm, "connection, median", base.byMedian(), xen.byMedian(), against));
      }
      study
          .costs()
          .tool()
          .map(tool -> new Cost("", "lat_pagefault", tool.base(), tool.xen(), "as stated"))
          .ifPresent(rows::add);
      return TableBuilder.of(rows)
          .name("arm", Cost::arm)
          .name("method", Cost::method)
          .number("base µs", "base_us", 2, cost -> MICRO * cost.base())
          .number("xen µs", "xen_us", 2, cost -> MICRO * cost.xen())
          .name("remark", Cost::remark)
          .table("fault-cost", "Cost of a page fault, by method");
    }

    private static Table explained(OverheadStudy study) {
      return TableBuilder.of(study.costs().explained())
          .name("arm", Explained::arm)
          .name("method", Explained::method)
          .number("added s", "added_s", 2, Explained::added)
          .number("added µs/fault", "cost_us", 2, one -> MICRO * one.cost())
          .number("of added time %", "of_time", 0, Explained::ofTime)
          .number("of added system %", "of_system", 0, Explained::ofSystem)
          .number("left s", "left_s", 2, Explained::left)
          .table(
              "fault-share",
              "Share of page faults in the added time, by method",
              List.of("the methods differ by what a fault does to caches, and so to user time"));
    }

    private static Table fits(OverheadStudy study) {
      return TableBuilder.of(study.faults(), arm -> arm.share().stream().toList())
          .name("arm", row -> row.whole().arm())
          .number("a %", "a", 1, row -> 100 * row.part().a())
          .number("b µs", "b_us", 2, row -> MICRO * row.part().b())
          .number("± error", "b_error_us", 2, row -> MICRO * row.part().bError())
          .number("b of system µs", "system_b_us", 2, row -> MICRO * row.part().systemB())
          .number("± its error", "system_error_us", 2, row -> MICRO * row.part().systemBError())
          .table("fault-fit", "Added time = a × the base's time + b × faults, least squares");
    }
  }

  /** The tables of an overhead study on the disk's layers and on system calls. */
  private static final class LayerTables {
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
          .number("base MB", "base_mb", 0, row -> row.part().reads().base())
          .number("guest MB", "guest_mb", 0, row -> row.part().reads().guest())
          .number("backend MB", "backend_mb", 0, row -> row.part().reads().backend())
          .number("disk MB", "disk_mb", 0, row -> row.part().reads().disk())
          .number("needed MB", "needed_mb", 0, row -> row.part().reads().needed())
          .number("M", "magnification", 2, row -> row.part().reads().magnification())
          .number("A", "amplification", 2, row -> row.part().reads().amplification())
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
        boolean quick =
            !(row.baseTime() >= SMALL * times[0]) && !(row.xenTime() >= SMALL * times[1]);
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
}
