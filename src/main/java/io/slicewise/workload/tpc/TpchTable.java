package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TextPool;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import java.time.LocalDate;
import java.util.List;

/**
 * A table of TPC-H (1.4 of the specification), with the rows of its generator {@code dbgen}.
 *
 * @param name in the database
 */
record TpchTable<E extends TpchEntity>(String name, List<TpchColumn<E>> columns, Rows<E> rows) {
  /** The names of all eight tables, those first that others refer to. */
  static final List<String> NAMES =
      List.of("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");

  private static final int SUPPLIERS_A_PART = 4;

  /** Generates the rows of a table. */
  private interface Rows<E> {
    Iterable<E> make(double scale, Distributions lists, TextPool text);
  }

  TpchTable {
    columns = List.copyOf(columns);
  }

  private static <E extends TpchEntity> TpchTable<E> of(
      String name, io.trino.tpch.TpchTable<E> columns, Rows<E> rows) {
    return new TpchTable<>(name, columns.getColumns(), rows);
  }

  /** Returns the table with a name. */
  static TpchTable<?> named(String name) {
    return switch (name) {
      case "region" ->
          of(name, io.trino.tpch.TpchTable.REGION, (scale, l, t) -> new RegionGenerator(l, t));
      case "nation" ->
          of(name, io.trino.tpch.TpchTable.NATION, (scale, l, t) -> new NationGenerator(l, t));
      case "supplier" ->
          of(
              name,
              io.trino.tpch.TpchTable.SUPPLIER,
              (scale, l, t) -> new SupplierGenerator(scale, 1, 1, l, t));
      case "customer" ->
          of(
              name,
              io.trino.tpch.TpchTable.CUSTOMER,
              (scale, l, t) -> new CustomerGenerator(scale, 1, 1, l, t));
      case "part" ->
          of(
              name,
              io.trino.tpch.TpchTable.PART,
              (scale, l, t) -> new PartGenerator(scale, 1, 1, l, t));
      case "partsupp" ->
          of(
              name,
              io.trino.tpch.TpchTable.PART_SUPPLIER,
              (scale, l, t) -> new PartSupplierGenerator(scale, 1, 1, t));
      case "orders" ->
          of(
              name,
              io.trino.tpch.TpchTable.ORDERS,
              (scale, l, t) -> new OrderGenerator(scale, 1, 1, l, t));
      case "lineitem" ->
          of(
              name,
              io.trino.tpch.TpchTable.LINE_ITEM,
              (scale, l, t) -> new LineItemGenerator(scale, 1, 1, l, t));
      default -> throw new IllegalArgumentException("TPC-H has no table " + name);
    };
  }

  /**
   * Whether each part has four different suppliers: the formula in 4.2.3 of the specification
   * (PS_SUPPKEY) repeats one at some scale factors below 1, the smallest.
   */
  static boolean hasDistinctKeys(double scale) {
    int suppliers = (int) (SupplierGenerator.SCALE_BASE * scale);
    int partsEach = PartGenerator.SCALE_BASE / SupplierGenerator.SCALE_BASE;
    for (int round = 0; round < partsEach; round++) {
      int step = suppliers / SUPPLIERS_A_PART + round;
      for (int times = 1; times < SUPPLIERS_A_PART; times++) {
        if (suppliers == 0 || times * step % suppliers == 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Passes every row to {@code sink}, as a line for COPY. */
  void each(double scale, TpchText text, CopyLine.Sink sink) {
    CopyLine<E> line = new CopyLine<>(columns);
    for (E row : rows.make(scale, text.distributions(), text.text())) {
      line.send(row, sink);
    }
  }

  /**
   * Writes a generated row as a line for COPY: values separated by {@value #DELIMITER}, money and
   * other decimals with two decimal places. No text of TPC-H contains the delimiter, a backslash or
   * a line end. Not thread-safe.
   */
  static final class CopyLine<E extends TpchEntity> {
    static final char DELIMITER = '|';

    private final List<TpchColumn<E>> columns;
    private final StringBuilder line = new StringBuilder(256);

    /** Receives the lines; the text is only valid during the call. */
    interface Sink {
      void line(CharSequence text);
    }

    CopyLine(List<TpchColumn<E>> columns) {
      this.columns = List.copyOf(columns);
    }

    void send(E row, Sink sink) {
      line.setLength(0);
      for (TpchColumn<E> column : columns) {
        append(column, row);
        line.append(DELIMITER);
      }
      line.setCharAt(line.length() - 1, '\n');
      sink.line(line);
    }

    private void append(TpchColumn<E> column, E row) {
      switch (column.getType().getBase()) {
        case INTEGER -> line.append(column.getInteger(row));
        case IDENTIFIER -> line.append(column.getIdentifier(row));
        case DOUBLE -> appendHundredths(Math.round(column.getDouble(row) * 100));
        case DATE -> line.append(LocalDate.ofEpochDay(column.getDate(row)));
        case VARCHAR -> line.append(column.getString(row));
      }
    }

    private void appendHundredths(long hundredths) {
      long positive = Math.abs(hundredths);
      if (hundredths < 0) {
        line.append('-');
      }
      line.append(positive / 100).append('.');
      if (positive % 100 < 10) {
        line.append('0');
      }
      line.append(positive % 100);
    }
  }

  /**
   * The sources of generated words: the specification's lists, and 300 MB of text from which
   * comments are cut. The text takes seconds to generate and is released with this record.
   */
  record TpchText(Distributions distributions, TextPool text) {
    /** 4.2.2.10 of the specification: comments are cut from 300 MB of text. */
    private static final int POOL_BYTES = 300 * 1024 * 1024;

    private static final long NEEDED_BYTES = 480L * 1024 * 1024;

    /**
     * Generates the text.
     *
     * @throws SlicewiseException if the memory limit of this process is too low
     */
    static TpchText make() {
      if (Runtime.getRuntime().maxMemory() < NEEDED_BYTES) {
        throw new SlicewiseException(
            ErrorKind.NOT_READY,
            "generating TPC-H's data needs 480 MB of memory, and this process may use %s MB"
                .formatted(Runtime.getRuntime().maxMemory() / (1024 * 1024)),
            "raise the limit with JAVA_OPTS=-Xmx1g");
      }
      Distributions distributions = Distributions.getDefaultDistributions();
      return new TpchText(distributions, new TextPool(POOL_BYTES, distributions));
    }
  }
}
