package io.slicewise.report;

import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.study.InterferenceMeasure;
import io.slicewise.evidence.study.InterferenceRow;
import io.slicewise.report.Table.Column;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of an interference study. */
public final class NeighbourTables {
  private static final List<String> UNKNOWN =
      List.of(
          "RPS, ARW and EXT are the published measures: RPS counts requests, which merging changes,"
              + " and takes every read of dom0 for a neighbour's; EXT is neither a bound nor an"
              + " estimate of the loss",
          "L compares the guest's own wait with its wait alone: how much it costs; the others'"
              + " share of the bytes: whose I/O it is");

  private NeighbourTables() {}

  /** Returns the study of published tables, with the derived cells that deviate. */
  public static StudyReport of(
      List<InterferenceRow> rows, List<PublishedTables.Table> checked, int files) {
    List<Table> tables = new ArrayList<>(List.of(measures(rows)));
    tables.add(RebuiltTables.of(checked));
    List<String> notes = new ArrayList<>();
    notes.add(
        "from %d published tables; an interval only where a deviation and runs are printed"
            .formatted(files));
    notes.addAll(UNKNOWN);
    return new StudyReport(title(rows), tables, notes);
  }

  private static String title(List<InterferenceRow> rows) {
    long lone = rows.stream().filter(InterferenceRow::alone).count();
    long alarms = rows.stream().filter(row -> !row.alone() && row.alarm()).count();
    return String.format(
        Locale.ROOT,
        "INTERFERENCE  %d cases, %d of them alone; EXT reports interference in %d",
        rows.size(),
        lone,
        alarms);
  }

  /** Returns the table of all measures that any case has. */
  static Table measures(List<InterferenceRow> rows) {
    List<InterferenceMeasure> known = new ArrayList<>();
    for (InterferenceMeasure measure : InterferenceMeasure.values()) {
      if (rows.stream().anyMatch(row -> Double.isFinite(row.of(measure).mean()))) {
        known.add(measure);
      }
    }
    List<Column> columns = new ArrayList<>(List.of(Column.name("place"), Column.name("case")));
    for (InterferenceMeasure measure : known) {
      columns.add(Column.number(measure.heading(), measure.key()));
      if (measure == InterferenceMeasure.TPS) {
        columns.add(Column.number("SD", "tps_deviation"));
        columns.add(Column.number("half-width", "tps_half"));
      }
    }
    columns.add(Column.figure("verdict"));
    List<List<Cell>> cells = rows.stream().map(row -> row(row, known)).toList();
    return new Table("interference", "Neighbours and the guest's reads", columns, cells);
  }

  private static List<Cell> row(InterferenceRow row, List<InterferenceMeasure> known) {
    List<Cell> cells =
        new ArrayList<>(List.of(new Cell.Text(row.place()), new Cell.Text(row.name())));
    for (InterferenceMeasure measure : known) {
      Estimate estimate = row.of(measure);
      cells.add(new Cell.Fixed(estimate.mean(), digits(measure)));
      if (measure == InterferenceMeasure.TPS) {
        cells.add(new Cell.Fixed(estimate.deviation(), 1));
        cells.add(new Cell.Fixed(estimate.halfWidth(), 1));
      }
    }
    cells.add(new Cell.Text(verdict(row)));
    return cells;
  }

  private static int digits(InterferenceMeasure measure) {
    return switch (measure) {
      case GUEST_WAIT, DISK_WAIT, UNDER_WAY, TX_PER_READ, MAGNIFICATION -> 2;
      case GUEST_READS, DISK_READS -> 0;
      default -> 1;
    };
  }

  private static String verdict(InterferenceRow row) {
    return switch (row.verdict()) {
      case EXTERNAL -> "EXTERNAL";
      case OWN_LOAD -> "own load";
      case NONE -> "none";
      case UNCLEAR -> "unclear";
      case UNKNOWN -> row.alone() ? "alone" : row.alarm() ? "EXT > 0" : Numbers.UNKNOWN;
    };
  }
}
