package io.slicewise.report;

import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.study.InterferenceMeasure;
import io.slicewise.evidence.study.InterferenceRow;
import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.report.Table.Column;
import io.slicewise.report.figure.StudyFigures;
import io.slicewise.stats.BoxSummary;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The tables of an interference study. */
public final class NeighbourTables {
  private static final List<String> UNKNOWN =
      List.of(
          "RPS, ARW and EXT are the published measures: RPS counts requests, which merging changes,"
              + " and attributes every read of dom0 to a neighbour; EXT is neither a bound nor an"
              + " estimate of the loss",
          "L compares the guest's wait with its wait alone and shows the cost; the others' share of"
              + " the bytes shows whose I/O it is");

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

  /** Returns the study of a run. */
  public static StudyReport of(String run, NeighbourStudy study) {
    List<String> notes = new ArrayList<>(study.notes());
    notes.add(
        "%d blocks; intervals are Student's t over blocks, compared with the trial of the same block"
                .formatted(study.blocks())
            + " without neighbours");
    notes.addAll(UNKNOWN);
    return new StudyReport(
            title(run, study),
            List.of(
                measures(study.rows()),
                traffic(study),
                intervals(study),
                boxes(study),
                fits(study)),
            notes)
        .with(StudyFigures.of(study));
  }

  private static String title(String run, NeighbourStudy study) {
    List<String> external =
        study.rows().stream()
            .filter(row -> row.verdict() == InterferenceRow.Blame.EXTERNAL)
            .map(row -> blamed(study, row))
            .toList();
    return "INTERFERENCE  "
        + run
        + ": "
        + (external.isEmpty()
            ? "no external interference shown"
            : "EXTERNAL: " + String.join("; ", external));
  }

  /** Names the neighbours, with their part of the bytes. */
  private static String blamed(NeighbourStudy study, InterferenceRow row) {
    String who =
        study.accused(row).stream()
            .map(part -> "%s %.0f %%".formatted(part.domain(), part.bytes().mean()))
            .collect(Collectors.joining(", "));
    return row.place()
        + " "
        + row.name()
        + (who.isEmpty() ? "" : " (" + who + " of the guests' bytes)");
  }

  private static Table traffic(NeighbourStudy study) {
    List<Column> columns =
        List.of(
            Column.name("place"),
            Column.name("case"),
            Column.name("domain"),
            Column.measured("% of MB ± 95 %", "bytes"),
            Column.measured("% of requests ± 95 %", "requests"),
            Column.measured("points more than alone", "more"),
            Column.figure("blamed"));
    return new Table(
        "traffic",
        "Traffic of the guests' disks by origin",
        columns,
        study.traffic().stream()
            .map(
                part ->
                    List.<Cell>of(
                        new Cell.Text(part.place()),
                        new Cell.Text(part.name()),
                        new Cell.Text(part.domain()),
                        new Cell.Measured(part.bytes(), 1, 1),
                        new Cell.Measured(part.requests(), 1, 1),
                        new Cell.Measured(part.more(), 1, 1),
                        new Cell.Text(
                            study.rows().stream()
                                    .filter(row -> row.place().equals(part.place()))
                                    .filter(row -> row.name().equals(part.name()))
                                    .anyMatch(row -> study.accused(row).contains(part))
                                ? "yes"
                                : "no")))
            .toList());
  }

  private static Table intervals(NeighbourStudy study) {
    List<Column> columns =
        List.of(
            Column.name("place"),
            Column.name("case"),
            Column.name("measure"),
            Column.measured("mean ± 95 %", "value"));
    return new Table(
        "intervals",
        "Measures with their intervals over blocks",
        columns,
        each(study, (row, measure) -> List.of(new Cell.Measured(row.of(measure), 1, 1))));
  }

  private static Table boxes(NeighbourStudy study) {
    List<Column> columns =
        List.of(
            Column.name("place"),
            Column.name("case"),
            Column.name("measure"),
            Column.number("low"),
            Column.number("q1"),
            Column.number("median"),
            Column.number("q3"),
            Column.number("high"));
    return new Table(
        "boxes",
        "Box plots by neighbours",
        columns,
        each(
            study,
            (row, measure) -> {
              BoxSummary box = row.boxes().get(measure);
              return box == null
                  ? List.of()
                  : List.of(
                      new Cell.Fixed(box.low(), 1),
                      new Cell.Fixed(box.q1(), 1),
                      new Cell.Fixed(box.median(), 1),
                      new Cell.Fixed(box.q3(), 1),
                      new Cell.Fixed(box.high(), 1));
            }));
  }

  private static List<List<Cell>> each(
      NeighbourStudy study, BiFunction<InterferenceRow, InterferenceMeasure, List<Cell>> values) {
    List<List<Cell>> rows = new ArrayList<>();
    for (InterferenceRow row : study.rows()) {
      for (InterferenceMeasure measure : InterferenceMeasure.values()) {
        List<Cell> cells =
            row.measures().containsKey(measure) ? values.apply(row, measure) : List.of();
        if (!cells.isEmpty()) {
          List<Cell> whole =
              new ArrayList<>(
                  List.of(
                      new Cell.Text(row.place()),
                      new Cell.Text(row.name()),
                      new Cell.Text(measure.heading())));
          whole.addAll(cells);
          rows.add(whole);
        }
      }
    }
    return rows;
  }

  private static Table fits(NeighbourStudy study) {
    List<Column> columns =
        List.of(
            Column.name("place"),
            Column.name("measure"),
            Column.number("a %", "intercept"),
            Column.number("b", "slope"),
            Column.number("low"),
            Column.number("high"),
            Column.number("R² pooled", "r2_pooled"),
            Column.number("R² within", "r2_within"),
            Column.count("n"));
    List<List<Cell>> rows =
        study.fits().stream()
            .map(
                fit ->
                    List.<Cell>of(
                        new Cell.Text(fit.place()),
                        new Cell.Text(fit.measure().heading()),
                        new Cell.Fixed(fit.intercept(), 2),
                        new Cell.Fixed(fit.slope().mean(), 2),
                        new Cell.Fixed(fit.slope().low(), 2),
                        new Cell.Fixed(fit.slope().high(), 2),
                        new Cell.Fixed(fit.pooled(), 2),
                        new Cell.Fixed(fit.within(), 2),
                        new Cell.Count(fit.n())))
            .toList();
    return new Table(
        "regression",
        "Drop of the rate = a + b × measure",
        columns,
        rows,
        List.of(
            "the measure has an error of its own, so b is biased towards 0; the pooled R² is mostly"
                + " the difference between numbers of neighbours"));
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
