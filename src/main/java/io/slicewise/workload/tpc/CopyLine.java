package io.slicewise.workload.tpc;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import java.time.LocalDate;
import java.util.List;

/**
 * Writes a generated row as a line for COPY: values separated by {@value #DELIMITER}, money and
 * other decimals with two decimal places. No text of TPC-H contains the delimiter, a backslash or a
 * line end. Not thread-safe.
 */
final class CopyLine<E extends TpchEntity> {
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
