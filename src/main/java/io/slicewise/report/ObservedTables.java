package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.ObservedPlace;
import io.slicewise.evidence.analysis.CellSummary.ObservedReading;
import io.slicewise.evidence.analysis.CellSummary.ObservedTopic;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.CellColumns;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.report.table.TableBuilder.Part;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A table for each topic that was observed, whatever it is. */
final class ObservedTables {
  private final CellColumns cells;
  private final Topic topic;
  private final Optional<String> cpus;
  private final Map<String, String> units = new LinkedHashMap<>();

  private ObservedTables(CellColumns cells, Topic topic) {
    this.cells = cells;
    this.topic = topic;
    List<ObservedPlace> places = cells.summary().cells().stream().flatMap(this::places).toList();
    this.cpus =
        places.stream()
            .map(ObservedPlace::place)
            .filter(place -> place.cpus() > 0)
            .map(place -> place.kind().cpus())
            .findFirst();
    for (ObservedPlace place : places) {
      place.readings().forEach(reading -> units.putIfAbsent(reading.name(), reading.unit()));
    }
  }

  static List<Table> of(CellColumns cells) {
    return cells.summary().cells().stream()
        .flatMap(cell -> cell.observed().stream())
        .map(ObservedTopic::topic)
        .distinct()
        .map(topic -> new ObservedTables(cells, topic).table())
        .toList();
  }

  /**
   * Returns what people read: without disks that moved nothing, and without columns of disks in
   * which all machines read 0 or nothing.
   */
  static List<Table> shown(List<Table> tables) {
    return tables.stream()
        .map(ObservedTables::withoutIdleDisks)
        .filter(table -> !table.name().equals(Machines.DISKS.name()) || !table.rows().isEmpty())
        .toList();
  }

  private static Table withoutIdleDisks(Table table) {
    boolean ofDisks = table.name().equals(Machines.DISKS.name());
    if (!ofDisks && !table.name().equals(Machines.TOPIC.name())) {
      return table;
    }
    List<List<Cell>> rows =
        table.rows().stream()
            .filter(row -> !ofDisks || !row.stream().allMatch(ObservedTables::isNothing))
            .toList();
    return table.keeping(
        rows,
        (column, cells) ->
            column.type() != Table.Type.MEASURED
                || !(ofDisks || column.key().contains("disk"))
                || !cells.allMatch(ObservedTables::isNothing));
  }

  /** Returns whether a cell has no value other than 0; cells that measure nothing have none. */
  private static boolean isNothing(Cell cell) {
    return !(cell instanceof Cell.Measured measured)
        || !(Math.abs(measured.estimate().mean()) * measured.scale()
            >= Math.pow(10, -measured.digits()) / 2);
  }

  private Stream<ObservedPlace> places(CellSummary cell) {
    return cell.observed().stream()
        .filter(seen -> seen.topic().equals(topic))
        .flatMap(seen -> seen.places().stream());
  }

  private Table table() {
    TableBuilder<Part<CellSummary, ObservedPlace>> table =
        cells.table(cell -> places(cell).toList(), ObservedPlace::n);
    if (!topic.placeHeading().isEmpty()) {
      table.name(topic.placeHeading(), row -> row.part().place().name());
    }
    cpus.ifPresent(
        name ->
            table.column(
                new Column(name, name.toLowerCase(Locale.ROOT), Table.Type.COUNT),
                row -> new Cell.Count(row.part().place().cpus())));
    units.forEach(
        (name, unit) ->
            table.column(
                Column.measured(heading(name, unit), name), row -> value(row.part(), name, unit)));
    return table.table(topic.name(), topic.title() + ", " + cells.meanOf());
  }

  private static String heading(String name, String unit) {
    String shown = unit.equals(Reading.SHARE) ? "%" : unit;
    return (name.replace('_', ' ') + " " + shown).strip();
  }

  private static Cell value(ObservedPlace seen, String name, String unit) {
    boolean share = unit.equals(Reading.SHARE);
    return new Cell.Measured(
        seen.readings().stream()
            .filter(reading -> reading.name().equals(name))
            .map(ObservedReading::estimate)
            .findFirst()
            .orElse(CellColumns.NOT_MEASURED),
        share ? 100 : 1,
        share ? 1 : 3);
  }
}
