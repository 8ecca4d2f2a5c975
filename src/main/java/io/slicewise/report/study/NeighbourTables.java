package io.slicewise.report.study;

import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.study.InterferenceFit;
import io.slicewise.evidence.study.InterferenceRow;
import io.slicewise.evidence.study.InterferenceRow.InterferenceMeasure;
import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.evidence.study.Traffic;
import io.slicewise.report.figure.StudyFigures;
import io.slicewise.report.study.StudyReport.RebuiltTables;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.report.table.TableBuilder.Part;
import io.slicewise.stats.table.BoxSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  public static StudyReport of(String run, NeighbourStudy study) {
    List<String> notes = new ArrayList<>(study.notes());
    notes.add(
        "%d blocks; intervals are Student's t over blocks, compared with the trial of the same block"
                .formatted(study.blocks())
            + " without neighbours");
    notes.addAll(UNKNOWN);
    return new StudyReport(
            "INTERFERENCE  %s: %s".formatted(run, answer(study)),
            List.of(
                measures(Stream.concat(study.rows().stream(), study.verified().stream()).toList()),
                traffic(study),
                intervals(study),
                boxes(study),
                fits(study)),
            notes)
        .with(StudyFigures.of(study));
  }

  /** Returns what the study shows, on one line. */
  public static String answer(NeighbourStudy study) {
    List<String> external =
        study.rows().stream()
            .filter(row -> row.verdict() == InterferenceRow.Blame.EXTERNAL)
            .map(row -> blamed(study, row))
            .toList();
    return external.isEmpty()
        ? "no external interference shown"
        : "EXTERNAL: " + String.join("; ", external);
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
    return TableBuilder.of(study.traffic())
        .name("place", Traffic::place)
        .name("case", Traffic::name)
        .name("domain", Traffic::domain)
        .measured("% of MB ± 95 %", "bytes", 1, 1, Traffic::bytes)
        .measured("% of requests ± 95 %", "requests", 1, 1, Traffic::requests)
        .measured("points more than alone", "more", 1, 1, Traffic::more)
        .figure("blamed", part -> isBlamed(study, part) ? "yes" : "no")
        .table("traffic", "Traffic of the guests' disks by origin");
  }

  private static boolean isBlamed(NeighbourStudy study, Traffic part) {
    return study.rows().stream()
        .filter(row -> row.place().equals(part.place()))
        .filter(row -> row.name().equals(part.name()))
        .anyMatch(row -> study.accused(row).contains(part));
  }

  private static Table intervals(NeighbourStudy study) {
    return each(study, (row, measure) -> row.measures().containsKey(measure))
        .measured("mean ± 95 %", "value", 1, 1, row -> row.whole().of(row.part()))
        .table("intervals", "Measures with their intervals over blocks");
  }

  private static Table boxes(NeighbourStudy study) {
    return each(
            study,
            (row, measure) ->
                row.measures().containsKey(measure) && row.boxes().containsKey(measure))
        .number("low", 1, row -> box(row).low())
        .number("q1", 1, row -> box(row).q1())
        .number("median", 1, row -> box(row).median())
        .number("q3", 1, row -> box(row).q3())
        .number("high", 1, row -> box(row).high())
        .table("boxes", "Box plots by neighbours");
  }

  private static BoxSummary box(Part<InterferenceRow, InterferenceMeasure> row) {
    return row.whole().boxes().get(row.part());
  }

  /** Begins a table with a row for each case and each measure that passes. */
  private static TableBuilder<Part<InterferenceRow, InterferenceMeasure>> each(
      NeighbourStudy study, BiPredicate<InterferenceRow, InterferenceMeasure> passes) {
    return TableBuilder.of(
            study.rows(),
            row ->
                Stream.of(InterferenceMeasure.values())
                    .filter(measure -> passes.test(row, measure))
                    .toList())
        .name("place", row -> row.whole().place())
        .name("case", row -> row.whole().name())
        .name("measure", row -> row.part().heading());
  }

  private static Table fits(NeighbourStudy study) {
    return TableBuilder.of(study.fits())
        .name("place", InterferenceFit::place)
        .name("measure", fit -> fit.measure().heading())
        .number("a %", "intercept", 2, InterferenceFit::intercept)
        .number("b", "slope", 2, fit -> fit.slope().mean())
        .number("low", 2, fit -> fit.slope().low())
        .number("high", 2, fit -> fit.slope().high())
        .number("R² pooled", "r2_pooled", 2, InterferenceFit::pooled)
        .number("R² within", "r2_within", 2, InterferenceFit::within)
        .count("n", InterferenceFit::n)
        .table(
            "regression",
            "Drop of the rate = a + b × measure",
            List.of(
                "the measure has an error of its own, so b is biased towards 0; the pooled R² is"
                    + " mostly the difference between numbers of neighbours"));
  }

  private static String title(List<InterferenceRow> rows) {
    long lone = rows.stream().filter(InterferenceRow::alone).count();
    long alarms = rows.stream().filter(row -> !row.alone() && row.alarm()).count();
    return Phrase.of(
        "INTERFERENCE  %d cases, %d of them alone; EXT reports interference in %d",
        rows.size(), lone, alarms);
  }

  /** Returns the table of all measures that any case has. */
  static Table measures(List<InterferenceRow> rows) {
    TableBuilder<InterferenceRow> table =
        TableBuilder.of(rows)
            .name("place", InterferenceRow::place)
            .name("case", InterferenceRow::name);
    for (InterferenceMeasure measure : InterferenceMeasure.values()) {
      if (rows.stream().anyMatch(row -> Double.isFinite(row.of(measure).mean()))) {
        int digits = digits(measure);
        table.number(measure.heading(), measure.key(), digits, row -> row.of(measure).mean());
        if (measure == InterferenceMeasure.TPS) {
          table.number("SD", "tps_deviation", 1, row -> row.of(measure).deviation());
          table.number("half-width", "tps_half", 1, row -> row.of(measure).halfWidth());
        }
      }
    }
    return table
        .figure("verdict", NeighbourTables::verdict)
        .table("interference", "Neighbours and the guest's reads");
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
      case UNKNOWN -> row.alone() ? "alone" : row.alarm() ? "EXT > 0" : NumberText.UNKNOWN;
    };
  }
}
