package io.slicewise.report.study;

import io.slicewise.evidence.study.ConnectionCost;
import io.slicewise.evidence.study.DiskLayers;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.PageFaults;
import io.slicewise.evidence.study.PageFaults.Explained;
import io.slicewise.evidence.study.PageFaults.FaultCost;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.stats.Correlation;
import java.util.ArrayList;
import java.util.List;

/** The tables of an overhead study on page faults. */
final class FaultTables {
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
    for (ConnectionCost cost : study.connections()) {
      FaultCost base = cost.base();
      FaultCost xen = cost.xen();
      String arm = cost.arm();
      String against = "against " + cost.kept();
      rows.add(new Cost(arm, "connection, sums", base.bySums(), xen.bySums(), against));
      rows.add(new Cost(arm, "connection, median", base.byMedian(), xen.byMedian(), against));
    }
    study
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
    return TableBuilder.of(study.explained())
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
