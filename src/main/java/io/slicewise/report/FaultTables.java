package io.slicewise.report;

import io.slicewise.evidence.study.ConnectionCost;
import io.slicewise.evidence.study.DiskLayers;
import io.slicewise.evidence.study.FaultCost;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.PageFaults;
import io.slicewise.report.Table.Column;
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
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("case"),
            Column.number("base", "base"),
            Column.number("xen", "xen"),
            Column.number("diff %", "difference"),
            Column.number("xen /s", "rate"),
            Column.number("base µs sys/fault", "base_cost_us"),
            Column.number("xen µs sys/fault", "xen_cost_us"),
            Column.number("slowdown %", "slowdown"));
    List<List<Cell>> rows =
        Table.rows(study.faults(), PageFaults::cases, (arm, row) -> row(arm.arm(), row));
    return new Table("faults", "Page faults per execution", columns, rows);
  }

  private static Table sums(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.number("base"),
            Column.number("xen"),
            Column.number("alike within %", "alike"),
            Column.figure("unlike"));
    List<List<Cell>> rows =
        Table.rows(
            study.faults(),
            arm ->
                List.of(
                    new Cell.Text(arm.arm()),
                    new Cell.Fixed(arm.baseSum(), 0),
                    new Cell.Fixed(arm.xenSum(), 0),
                    new Cell.Fixed(arm.alike(), 1),
                    new Cell.Text(String.join(", ", arm.unlike()))));
    return new Table("fault-sums", "Page faults of all cases", columns, rows);
  }

  private static Table correlations(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("of"),
            Column.number("Pearson", "pearson"),
            Column.number("low"),
            Column.number("high"),
            Column.number("Spearman", "spearman"),
            Column.count("n"));
    List<List<Cell>> rows = new ArrayList<>();
    for (PageFaults arm : study.faults()) {
      arm.share()
          .ifPresent(share -> rows.add(correlation(arm.arm(), "fault rate", share.correlation())));
    }
    for (DiskLayers arm : study.disks()) {
      arm.slowdown().ifPresent(found -> rows.add(correlation(arm.arm(), "M", found)));
    }
    return new Table(
        "correlations",
        "Correlation with the slowdown, with Fisher's interval",
        columns,
        rows,
        List.of(
            "the cases were selected, share tables and plans, and are not independent; the guest's"
                + " time is in both the fault rate and the slowdown, so part of the correlation is"
                + " arithmetic"));
  }

  private static List<Cell> correlation(String arm, String of, Correlation found) {
    return List.of(
        new Cell.Text(arm),
        new Cell.Text(of),
        new Cell.Fixed(found.pearson(), 2),
        new Cell.Fixed(found.low(), 2),
        new Cell.Fixed(found.high(), 2),
        new Cell.Fixed(found.spearman(), 2),
        new Cell.Count(found.n()));
  }

  private static List<Cell> row(String arm, PageFaults.Row row) {
    return List.of(
        new Cell.Text(arm),
        new Cell.Text(row.name()),
        new Cell.Fixed(row.base(), 0),
        new Cell.Fixed(row.xen(), 0),
        new Cell.Fixed(row.difference(), 1),
        new Cell.Fixed(row.rate(), 0),
        new Cell.Fixed(MICRO * row.baseCost(), 2),
        new Cell.Fixed(MICRO * row.xenCost(), 2),
        new Cell.Fixed(row.slowdown(), 2));
  }

  private static Table costs(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("method"),
            Column.number("base µs", "base_us"),
            Column.number("xen µs", "xen_us"),
            Column.name("remark"));
    List<List<Cell>> rows = new ArrayList<>();
    for (PageFaults arm : study.faults()) {
      PageFaults.Cost base = arm.baseCost();
      PageFaults.Cost xen = arm.xenCost();
      String outside =
          base.outside().isEmpty() ? "" : "without " + String.join(", ", base.outside());
      String outsideXen =
          xen.outside().isEmpty()
              ? ""
              : ", in the guest without " + String.join(", ", xen.outside());
      rows.add(cost(arm.arm(), "system time, least", base.least(), xen.least(), ""));
      rows.add(cost(arm.arm(), "system time, median", base.median(), xen.median(), ""));
      rows.add(cost(arm.arm(), "system time, most", base.most(), xen.most(), outside + outsideXen));
    }
    for (ConnectionCost cost : study.connections()) {
      FaultCost base = cost.base();
      FaultCost xen = cost.xen();
      String against = "against " + cost.kept();
      rows.add(cost(cost.arm(), "connection, sums", base.bySums(), xen.bySums(), against));
      rows.add(cost(cost.arm(), "connection, median", base.byMedian(), xen.byMedian(), against));
    }
    study
        .tool()
        .ifPresent(
            tool -> rows.add(cost("", "lat_pagefault", tool.base(), tool.xen(), "as stated")));
    return new Table("fault-cost", "Cost of a page fault, by method", columns, rows);
  }

  private static List<Cell> cost(
      String arm, String method, double base, double xen, String remark) {
    return List.of(
        new Cell.Text(arm),
        new Cell.Text(method),
        new Cell.Fixed(MICRO * base, 2),
        new Cell.Fixed(MICRO * xen, 2),
        new Cell.Text(remark));
  }

  private static Table explained(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("method"),
            Column.number("added s", "added_s"),
            Column.number("added µs/fault", "cost_us"),
            Column.number("of added time %", "of_time"),
            Column.number("of added system %", "of_system"),
            Column.number("left s", "left_s"));
    List<List<Cell>> rows =
        Table.rows(
            study.explained(),
            one ->
                List.of(
                    new Cell.Text(one.arm()),
                    new Cell.Text(one.method()),
                    new Cell.Fixed(one.added(), 2),
                    new Cell.Fixed(MICRO * one.cost(), 2),
                    new Cell.Fixed(one.ofTime(), 0),
                    new Cell.Fixed(one.ofSystem(), 0),
                    new Cell.Fixed(one.left(), 2)));
    return new Table(
        "fault-share",
        "Share of page faults in the added time, by method",
        columns,
        rows,
        List.of("the methods differ by what a fault does to caches, and so to user time"));
  }

  private static Table fits(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.number("a %", "a"),
            Column.number("b µs", "b_us"),
            Column.number("± error", "b_error_us"),
            Column.number("b of system µs", "system_b_us"),
            Column.number("± its error", "system_error_us"));
    List<List<Cell>> rows = new ArrayList<>();
    for (PageFaults arm : study.faults()) {
      arm.share()
          .ifPresent(
              share ->
                  rows.add(
                      List.of(
                          new Cell.Text(arm.arm()),
                          new Cell.Fixed(100 * share.a(), 1),
                          new Cell.Fixed(MICRO * share.b(), 2),
                          new Cell.Fixed(MICRO * share.bError(), 2),
                          new Cell.Fixed(MICRO * share.systemB(), 2),
                          new Cell.Fixed(MICRO * share.systemBError(), 2))));
    }
    return new Table(
        "fault-fit", "Added time = a × the base's time + b × faults, least squares", columns, rows);
  }
}
