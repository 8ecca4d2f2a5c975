package io.slicewise.load.jtl;

import io.slicewise.load.jtl.Format.Intake;
import io.slicewise.load.jtl.Format.ReaderLimits;
import io.slicewise.load.jtl.Format.Scanner;
import io.slicewise.load.jtl.PlainRows.Transactions;
import io.slicewise.load.jtl.text.Chunk;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.Words;
import java.io.IOException;

/**
 * Reads the rows of a CSV file, one stretch at a time: first the ends of all fields, then the
 * values of each column, then the samples that count.
 *
 * <p>Rows that are not plain successes are taken one by one; everything except plain valid rows is
 * left to {@link CarefulRow}.
 */
final class CsvScanner implements Scanner {
  private static final long TRUE = Words.of("true");
  private static final long FALSE = Words.of("false");

  private static final int SHORT_REACH = 1 << 12;

  private final Chunk chunk;
  private final Intake intake;
  private final int longest;
  private final CarefulRow careful;
  private final FieldEnds found = new FieldEnds();
  private final PlainRows rows = new PlainRows();
  private final Row row = new Row();

  private CsvColumns columns;
  private int at;
  private int next;
  private int lineInside;
  private long line = 1;
  private int reach = FieldEnds.LONGEST;

  CsvScanner(
      Chunk chunk,
      CsvColumns columns,
      Intake intake,
      ReductionOptions options,
      ReaderLimits limits) {
    this.chunk = chunk;
    this.columns = columns;
    this.intake = intake;
    longest = limits.row();
    careful = new CarefulRow(chunk, intake, options, limits);
  }

  @Override
  public long scan(long until) throws IOException {
    intake.columns(columns);
    find();
    while (true) {
      takeRows(until);
      if (intake.enough()
          || chunk.offset(at) >= until
          || (at == chunk.end() && chunk.exhausted())) {
        return chunk.offset(at);
      }
      if (found.stopped() || isLong() || (atEnd() && chunk.exhausted())) {
        readCarefully();
      } else {
        findMore();
      }
    }
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public Format format() {
    return new Format.Csv(columns);
  }

  /** Takes the rows found, up to the first that begins at or after a position in the file. */
  private void takeRows(long until) throws IOException {
    while (next < found.rowCount() && chunk.offset(at) < until) {
      pass(intake.add(rows, next, last(until)));
      if (next < found.rowCount() && chunk.offset(at) < until && !take()) {
        readCarefully();
      }
    }
  }

  /** The row after the last row found that begins before a position in the file. */
  private int last(long until) {
    int last = found.rowCount();
    while (last > next && chunk.offset(rows.start(last - 1)) >= until) {
      last--;
    }
    return last;
  }

  /** Whether the current row ends in no stretch, however long. */
  private boolean isLong() {
    return found.to() - at >= FieldEnds.LONGEST || chunk.end() - at > longest;
  }

  private boolean atEnd() {
    return found.to() == chunk.end();
  }

  private void findMore() throws IOException {
    if (atEnd()) {
      chunk.advance(at);
      at = 0;
    }
    find();
  }

  /**
   * Finds the following rows. After an invalid row, only nearby rows are searched, so that the cost
   * of many such rows stays proportional.
   */
  private void find() {
    int to = Math.min(chunk.end(), at + reach);
    found.find(chunk.bytes(), at, to, columns.delimiter(), columns.count());
    rows.read(chunk.bytes(), found, columns, longest);
    reach = found.stopped() ? SHORT_REACH : Math.min(2 * reach, FieldEnds.LONGEST);
    next = 0;
    lineInside = 0;
  }

  /** Moves to a row and counts the lines before it. */
  private void pass(int target) {
    line += target - next;
    next = target;
    at = rows.start(target);
    passLinesInside();
  }

  /** Takes the current row if it is valid. */
  private boolean take() {
    row.clear();
    if (rows.isStrange(next) || !readSuccess()) {
      return false;
    }
    rows.put(row, next);
    readTexts();
    intake.add(row, line);
    pass(next + 1);
    return true;
  }

  private boolean readSuccess() {
    int success = columns.column(CsvColumns.SUCCESS);
    if (success < 0) {
      return true;
    }
    int start = rows.start(next, success);
    int length = rows.end(next, success) - start;
    long word = Words.first(Words.at(rows.bytes(), start), length);
    row.success = length == 4 && word == TRUE;
    return row.success || (length == 5 && word == FALSE);
  }

  /** Reads the positions of the texts, including quotes. */
  private void readTexts() {
    int label = columns.column(CsvColumns.LABEL);
    if (label >= 0) {
      row.labelStart = rows.start(next, label);
      row.labelEnd = rows.end(next, label);
    }
    int code = columns.column(CsvColumns.CODE);
    if (code >= 0) {
      row.codeStart = rows.start(next, code);
      row.codeEnd = rows.end(next, code);
    }
    int message = columns.column(CsvColumns.MESSAGE);
    row.transaction =
        message >= 0 && Transactions.isMessageAsSpelt(rows.bytes(), rows.start(next, message));
    row.described = !rows.isBare(next);
    rows.putOrigin(row, next);
  }

  /** Counts the line feeds inside quotes of the rows before the current position. */
  private void passLinesInside() {
    while (lineInside < found.linesInside() && found.lineInside(lineInside) < at) {
      lineInside++;
      line++;
    }
  }

  private void readCarefully() throws IOException {
    int moves = chunk.moves();
    CsvColumns used = columns;
    at = careful.read(at, line, columns);
    line = careful.line();
    columns = careful.columns();
    if (!columns.equals(used)) {
      intake.columns(columns);
    }
    if (chunk.moves() != moves || !columns.equals(used) || !catchUp()) {
      find();
    }
  }

  /** Moves to the row that begins here, if it is among those found. */
  private boolean catchUp() {
    while (next < found.rowCount() && rows.start(next) < at) {
      next++;
    }
    while (lineInside < found.linesInside() && found.lineInside(lineInside) < at) {
      lineInside++;
    }
    return rows.start(next) == at;
  }
}
