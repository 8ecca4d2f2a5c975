package io.slicewise.report.table;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table independent of its format: text, CSV, Markdown, LaTeX or HTML.
 *
 * @param name of its file in {@code tables/}, without extension
 * @param rows each with one cell per column
 * @param notes below the table
 */
public record Table(
    String name, String title, List<Column> columns, List<List<Cell>> rows, List<String> notes) {
  public Table {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    notes = List.copyOf(notes);
    for (List<Cell> row : rows) {
      verify(name, columns, row);
    }
  }

  public Table(String name, String title, List<Column> columns, List<List<Cell>> rows) {
    this(name, title, columns, rows, List.of());
  }

  private static void verify(String name, List<Column> columns, List<Cell> row) {
    if (row.size() != columns.size()) {
      throw new IllegalArgumentException(
          "%s: a row has %d cells for %d columns".formatted(name, row.size(), columns.size()));
    }
    for (int i = 0; i < row.size(); i++) {
      if (!columns.get(i).type().cells.contains(row.get(i).getClass())) {
        throw new IllegalArgumentException(
            "%s: column %s cannot hold %s".formatted(name, columns.get(i).key(), row.get(i)));
      }
    }
  }

  /** Returns the table with another title. */
  public Table entitled(String other) {
    return new Table(name, other, columns, rows, notes);
  }

  /** Returns the table with only these rows, and the columns whose cells in them pass. */
  public Table keeping(List<List<Cell>> some, BiPredicate<Column, Stream<Cell>> passes) {
    List<Integer> kept =
        IntStream.range(0, columns.size())
            .filter(i -> passes.test(columns.get(i), some.stream().map(row -> row.get(i))))
            .boxed()
            .toList();
    return new Table(
        name,
        title,
        kept.stream().map(columns::get).toList(),
        some.stream().map(row -> kept.stream().map(row::get).toList()).toList(),
        notes);
  }

  public List<String> headings() {
    return columns.stream().map(Column::heading).toList();
  }

  /** Returns, by column, whether its entries are left-aligned. */
  public List<Boolean> left() {
    return columns.stream().map(Column::left).toList();
  }

  /** Returns the cell of the column with that key, if the table has one. */
  public Optional<Cell> cell(List<Cell> row, String key) {
    for (int i = 0; i < row.size(); i++) {
      if (columns.get(i).key().equals(key)) {
        return Optional.of(row.get(i));
      }
    }
    return Optional.empty();
  }

  /** What a column holds. */
  public enum Type {
    /** Text, left-aligned. */
    NAME(List.of(""), Cell.Text.class),
    /** Text that reads like a number, right-aligned. */
    FIGURE(List.of(""), Cell.Text.class),
    COUNT(List.of(""), Cell.Count.class, Cell.Empty.class),
    NUMBER(
        List.of(""), Cell.Value.class, Cell.Fixed.class, Cell.Probability.class, Cell.Empty.class),
    CHANGE(List.of("", "_low", "_high"), Cell.Change.class),
    MEASURED(List.of("", "_sd", "_low", "_high", "_n"), Cell.Measured.class);

    @SuppressWarnings("ImmutableEnumChecker") // Unmodifiable, as are the cells.
    private final List<String> suffixes;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Class<?>> cells;

    Type(List<String> suffixes, Class<?>... cells) {
      this.suffixes = List.copyOf(suffixes);
      this.cells = Set.of(cells);
    }
  }

  /**
   * A column.
   *
   * @param heading on screens
   * @param key in files; estimates and changes take several fields, whose names begin with it
   */
  public record Column(String heading, String key, Type type) {
    public static Column name(String name) {
      return new Column(name, name, Type.NAME);
    }

    public static Column count(String name) {
      return new Column(name, name, Type.COUNT);
    }

    public static Column number(String key) {
      return new Column(key, key, Type.NUMBER);
    }

    public static Column number(String heading, String key) {
      return new Column(heading, key, Type.NUMBER);
    }

    public static Column figure(String heading) {
      return new Column(heading, heading, Type.FIGURE);
    }

    public static Column measured(String heading, String key) {
      return new Column(heading, key, Type.MEASURED);
    }

    public static Column change(String heading, String key) {
      return new Column(heading, key, Type.CHANGE);
    }

    public boolean left() {
      return type == Type.NAME;
    }

    /** Returns the names of its CSV fields. */
    public List<String> fields() {
      return type.suffixes.stream().map(suffix -> key + suffix).toList();
    }
  }
}
