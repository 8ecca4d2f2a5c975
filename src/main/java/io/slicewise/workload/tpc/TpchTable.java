package io.slicewise.workload.tpc;

import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import java.util.List;
import java.util.Locale;

/**
 * The eight tables of TPC-H (the specification's 1.4), whose rows are those of its generator {@code
 * dbgen}.
 */
enum TpchTable {
  REGION(io.trino.tpch.TpchTable.REGION, (scale, source) -> new RegionGenerator(source.distributions(), source.text())),
  NATION(io.trino.tpch.TpchTable.NATION, (scale, source) -> new NationGenerator(source.distributions(), source.text())),
  SUPPLIER(
      io.trino.tpch.TpchTable.SUPPLIER,
      (scale, source) -> new SupplierGenerator(scale, 1, 1, source.distributions(), source.text())),
  CUSTOMER(
      io.trino.tpch.TpchTable.CUSTOMER,
      (scale, source) -> new CustomerGenerator(scale, 1, 1, source.distributions(), source.text())),
  PART(
      io.trino.tpch.TpchTable.PART,
      (scale, source) -> new PartGenerator(scale, 1, 1, source.distributions(), source.text())),
  PARTSUPP(
      io.trino.tpch.TpchTable.PART_SUPPLIER,
      (scale, source) -> new PartSupplierGenerator(scale, 1, 1, source.text())),
  ORDERS(
      io.trino.tpch.TpchTable.ORDERS,
      (scale, source) -> new OrderGenerator(scale, 1, 1, source.distributions(), source.text())),
  LINEITEM(
      io.trino.tpch.TpchTable.LINE_ITEM,
      (scale, source) -> new LineItemGenerator(scale, 1, 1, source.distributions(), source.text()));

  private final Rows<?> rows;

  <E extends TpchEntity> TpchTable(io.trino.tpch.TpchTable<E> table, Source<E> source) {
    rows = new Rows<>(table.getColumns(), source);
  }

  private interface Source<E> {
    Iterable<E> rows(double scale, TpchText text);
  }

  private record Rows<E extends TpchEntity>(List<TpchColumn<E>> columns, Source<E> source) {
    void each(double scale, TpchText text, CopyLine.Sink sink) {
      CopyLine<E> line = new CopyLine<>(columns);
      for (E row : source.rows(scale, text)) {
        line.send(row, sink);
      }
    }
  }

  /** The table's name in the database. */
  String sqlName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Hands every row over, as a line for COPY. */
  void each(double scale, TpchText text, CopyLine.Sink sink) {
    rows.each(scale, text, sink);
  }
}
