package io.slicewise.report;

import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.Slowdowns;
import io.slicewise.report.Table.Column;
import io.slicewise.report.figure.StudyFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
          Double.isFinite(arm.low())
              ? String.format(
                  Locale.ROOT,
                  " [%+.1f, %+.1f], %d pairs of boots",
                  arm.low(),
                  arm.high(),
                  arm.blocks())
              : "";
      arms.add(
          String.format(
              Locale.ROOT,
              "%s %+.1f %%%s over %d cases",
              arm.arm(),
              arm.overall().geometric(),
              interval,
              arm.cases().size()));
    }
    return arms.isEmpty()
        ? "OVERHEAD  no running times on both systems"
        : "OVERHEAD  geometric: " + String.join("; ", arms);
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
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.count("cases"),
            Column.number("base s", "base_s"),
            Column.number("xen s", "xen_s"),
            Column.number("geometric %", "geometric"),
            Column.number("low %", "low"),
            Column.number("high %", "high"),
            Column.number("mean of ratios %", "mean_of_ratios"),
            Column.number("ratio of sums %", "ratio_of_sums"),
            Column.figure("smallest"),
            Column.figure("largest"),
            Column.figure("slower"),
            Column.figure("faster"));
    List<List<Cell>> rows =
        Table.rows(
            study.slowdowns(),
            arm ->
                List.of(
                    new Cell.Text(arm.arm()),
                    new Cell.Count(arm.cases().size()),
                    new Cell.Fixed(arm.baseSum(), 2),
                    new Cell.Fixed(arm.xenSum(), 2),
                    new Cell.Fixed(arm.overall().geometric(), 2),
                    new Cell.Fixed(arm.low(), 2),
                    new Cell.Fixed(arm.high(), 2),
                    new Cell.Fixed(arm.overall().mean(), 2),
                    new Cell.Fixed(arm.overall().ofSums(), 2),
                    new Cell.Text(named(arm.smallest())),
                    new Cell.Text(named(arm.largest())),
                    new Cell.Text(counted(arm.slower(), arm.slowerMean())),
                    new Cell.Text(counted(arm.faster(), arm.fasterMean()))));
    return new Table("overall", "Overall slowdown in the guest, in three ways", columns, rows);
  }

  private static String named(Slowdowns.Row row) {
    return row.name() + " " + Numbers.fixed(row.percent(), 2);
  }

  private static String counted(int cases, double mean) {
    return cases == 0 ? "0" : cases + " (" + Numbers.fixed(mean, 1) + ")";
  }

  private static Table slowdowns(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("case"),
            Column.number("base s", "base_s"),
            Column.number("xen s", "xen_s"),
            Column.number("abs s", "abs_s"),
            Column.change("rel % (95 %)", "rel"),
            Column.figure("p Holm"),
            Column.figure("verdict"));
    List<List<Cell>> rows =
        Table.rows(
            study.slowdowns(),
            Slowdowns::cases,
            (arm, row) ->
                List.of(
                    new Cell.Text(arm.arm()),
                    new Cell.Text(row.name()),
                    new Cell.Fixed(row.base(), 2),
                    new Cell.Fixed(row.xen(), 2),
                    new Cell.Fixed(row.added(), 2),
                    new Cell.Change(row.percent(), row.low(), row.high()),
                    new Cell.Text(ChangeText.p(row.p())),
                    new Cell.Text(row.verdict().map(ChangeText::verdict).orElse(Numbers.UNKNOWN))));
    return new Table("slowdown", "Slowdown by case", columns, rows);
  }

  private static Table agreements(OverheadStudy study) {
    List<Column> columns =
        List.of(
            Column.name("arm"),
            Column.name("other_arm"),
            Column.count("cases"),
            Column.number("Spearman", "spearman"),
            Column.count("base_faster"),
            Column.count("base_slower"),
            Column.count("xen_faster"),
            Column.count("xen_slower"));
    List<List<Cell>> rows =
        Table.rows(
            study.agreements(),
            both ->
                List.of(
                    new Cell.Text(both.first()),
                    new Cell.Text(both.second()),
                    new Cell.Count(both.cases()),
                    new Cell.Fixed(both.spearman(), 2),
                    new Cell.Count(both.base().first()),
                    new Cell.Count(both.base().second()),
                    new Cell.Count(both.xen().first()),
                    new Cell.Count(both.xen().second())));
    return new Table(
        "arms",
        "Whether the same cases suffer most in two arms (rank correlation of slowdowns)",
        columns,
        rows,
        List.of(
            "faster, slower: the number of cases that take less, and more, time in arm than in"
                + " other_arm",
            "which case suffers most differs from arm to arm, so it is not a property of the"
                + " case"));
  }
}
