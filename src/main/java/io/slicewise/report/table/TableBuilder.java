package io.slicewise.report.table;

import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.table.Table.Column;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Builds a table column by column: each with its heading and what it shows of a row.
 *
 * @param <R> what a row is about
 */
public final class TableBuilder<R> {
  private final List<R> rows;
  private final List<Column> columns = new ArrayList<>();
  private final List<Function<R, Cell>> cells = new ArrayList<>();

  private TableBuilder(List<R> rows) {
    this.rows = rows;
  }

  /** Begins a table with a row for each of these. */
  public static <R> TableBuilder<R> of(List<R> rows) {
    return new TableBuilder<>(rows);
  }

  /** Begins a table with a row for each part of each of these. */
  public static <W, P> TableBuilder<Part<W, P>> of(List<W> all, Function<W, List<P>> parts) {
    return of(Part.of(all, parts));
  }

  /** A part, as a row, and the whole that it belongs to. */
  public record Part<W, P>(W whole, P part) {
    public static <W, P> List<Part<W, P>> of(List<W> all, Function<W, List<P>> parts) {
      return all.stream()
          .flatMap(whole -> parts.apply(whole).stream().map(part -> new Part<>(whole, part)))
          .toList();
    }
  }

  public TableBuilder<R> column(Column column, Function<R, Cell> cell) {
    columns.add(column);
    cells.add(cell);
    return this;
  }

  public TableBuilder<R> name(String name, Function<R, String> text) {
    return column(Column.name(name), row -> new Cell.Text(text.apply(row)));
  }

  public TableBuilder<R> figure(String heading, Function<R, String> text) {
    return column(Column.figure(heading), row -> new Cell.Text(text.apply(row)));
  }

  public TableBuilder<R> count(String name, ToLongFunction<R> count) {
    return column(Column.count(name), row -> new Cell.Count(count.applyAsLong(row)));
  }

  /** Adds a column of counts, empty where there is none. */
  public TableBuilder<R> countIfKnown(String name, Function<R, OptionalInt> count) {
    return column(Column.count(name), row -> count(count.apply(row)));
  }

  private static Cell count(OptionalInt count) {
    return count.isPresent() ? new Cell.Count(count.getAsInt()) : new Cell.Empty();
  }

  /** Adds a column of numbers with that many decimals on screens. */
  public TableBuilder<R> number(
      String heading, String key, int digits, ToDoubleFunction<R> number) {
    return column(
        Column.number(heading, key), row -> new Cell.Fixed(number.applyAsDouble(row), digits));
  }

  /** Adds a column of numbers whose heading is also its key. */
  public TableBuilder<R> number(String name, int digits, ToDoubleFunction<R> number) {
    return number(name, name, digits, number);
  }

  /** Adds a column of numbers with as many decimals as their size suggests. */
  public TableBuilder<R> value(String name, ToDoubleFunction<R> value) {
    return column(Column.number(name), row -> new Cell.Value(value.applyAsDouble(row)));
  }

  /** Adds a column of estimates, multiplied on screens. */
  public TableBuilder<R> measured(
      String heading, String key, double scale, int digits, Function<R, Estimate> estimate) {
    return column(
        Column.measured(heading, key),
        row -> new Cell.Measured(estimate.apply(row), scale, digits));
  }

  public TableBuilder<R> change(String heading, String key, Function<R, Effect.Change> change) {
    return column(Column.change(heading, key), row -> new Cell.Change(change.apply(row)));
  }

  /** Adds the columns of a load, one for each axis. */
  public TableBuilder<R> load(List<Axis> axes, Function<R, Load> load) {
    for (Axis axis : axes) {
      column(
          axis.isNumeric() ? Column.count(axis.key()) : Column.name(axis.key()),
          row -> load.apply(row).level(axis).map(TableBuilder::cell).orElse(new Cell.Empty()));
    }
    return this;
  }

  private static Cell cell(Level level) {
    return level.value() instanceof Integer count
        ? new Cell.Count(count)
        : Double.isNaN(level.number())
            ? new Cell.Text(level.text())
            : new Cell.Value(level.number());
  }

  /** Returns the heading of a column with whole loads. */
  public static String heading(List<Axis> axes) {
    return axes.stream().map(Axis::key).collect(Collectors.joining(" + "));
  }

  public Table table(String name, String title) {
    return table(name, title, List.of());
  }

  public Table table(String name, String title, List<String> notes) {
    return new Table(name, title, columns, rows.stream().map(this::cells).toList(), notes);
  }

  private List<Cell> cells(R row) {
    return cells.stream().map(cell -> cell.apply(row)).toList();
  }
}
