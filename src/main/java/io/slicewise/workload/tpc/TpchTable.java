package io.slicewise.workload.tpc;

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
}
