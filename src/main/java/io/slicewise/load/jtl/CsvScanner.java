package io.slicewise.load.jtl;

import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Format.Intake;
import io.slicewise.load.jtl.Format.ReaderLimits;
import io.slicewise.load.jtl.Format.Scanner;
import io.slicewise.load.jtl.PlainRows.Transactions;
import io.slicewise.load.jtl.text.Chunk;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.Fields;
import io.slicewise.load.jtl.text.Words;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

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

  /**
   * Reads an irregular CSV row: a header, a valid row in an unusual spelling, or a broken one. A
   * broken row only costs its first line: an unclosed quote may have swallowed rows up to the next
   * quote, so these are read again.
   */
  private static final class CarefulRow {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final Chunk chunk;
    private final Intake intake;
    private final int longest;
    private final Values values;
    private final Fields fields = new Fields();
    private final Row row = new Row();

    private CsvColumns columns;
    private long line;

    CarefulRow(Chunk chunk, Intake intake, ReductionOptions options, ReaderLimits limits) {
      this.chunk = chunk;
      this.intake = intake;
      longest = limits.row();
      values = new Values(options.zone());
      row.spelt = false;
    }

    /** The columns after the row, which differ if it was a header. */
    CsvColumns columns() {
      return columns;
    }

    /** The number of the line after the row. */
    long line() {
      return line;
    }

    /**
     * Reads one row.
     *
     * @return the start of the next row, in a chunk that may have moved
     */
    int read(int start, long startLine, CsvColumns current) throws IOException {
      columns = current;
      line = startLine;
      int at = start;
      Fields.Cut cut = cut(at);
      while (cut == Fields.Cut.OPEN && !chunk.exhausted() && chunk.end() - at <= longest) {
        chunk.advance(at);
        at = 0;
        cut = cut(at);
      }
      // A broken row is reported by its complete first line, wherever it breaks and wherever the
      // chunk ends.
      while (cut == Fields.Cut.BROKEN && !isLineWhole(at) && !chunk.exhausted()) {
        chunk.advance(at);
        at = 0;
      }
      Optional<DamageKind> fault = cut == Fields.Cut.WHOLE ? sample() : Optional.of(fault(cut, at));
      if (cut == Fields.Cut.WHOLE && chunk.bytes()[fields.next() - 1] != '\n') {
        byte role = columns.role(columns.count() - 1);
        row.cuttable = role != CsvColumns.SKIPPED && role != CsvColumns.SUCCESS;
        fault = fault.map(any -> any == DamageKind.UNTIMED ? any : DamageKind.CUT_ROW);
      }
      if (fault.isEmpty()) {
        intake.add(row, line);
        line += newlines(at, fields.next());
        return fields.next();
      }
      passOver(fault.get(), at);
      return afterLine(at);
    }

    /** Reads the first line of an invalid row as a header, or else counts it as damage. */
    private void passOver(DamageKind fault, int at) {
      String text = new String(chunk.bytes(), at, lineEnd(at) - at, StandardCharsets.ISO_8859_1);
      Optional<CsvColumns> header = CsvColumns.header(text);
      columns = header.orElse(columns);
      if (header.isPresent() && chunk.offset(at) > 0) {
        intake.damage().note(DamageKind.NEW_HEADER, line);
      } else if (header.isEmpty()) {
        intake.damage().note(text.indexOf('\0') >= 0 ? DamageKind.NUL_BYTES : fault, line);
      }
    }

    private Fields.Cut cut(int at) {
      int from = at;
      if (chunk.offset(at) == 0 && startsWithMark(at)) {
        from += BYTE_ORDER_MARK.length;
      }
      boolean last = chunk.exhausted() && limit(at) == chunk.end();
      return fields.cut(chunk.bytes(), from, limit(at), columns.delimiter(), last);
    }

    private boolean startsWithMark(int at) {
      for (int i = 0; i < BYTE_ORDER_MARK.length; i++) {
        if (chunk.bytes()[at + i] != BYTE_ORDER_MARK[i]) {
          return false;
        }
      }
      return true;
    }

    private boolean isLineWhole(int at) {
      return lineEnd(at) < chunk.end() || chunk.end() - at > longest;
    }

    private int limit(int at) {
      return Math.min(chunk.end(), at + longest);
    }

    /** Fills the row from the fields, up to the first error. */
    private Optional<DamageKind> sample() {
      if (fields.count() != columns.count()) {
        return Optional.of(
            fields.count() < columns.count()
                ? DamageKind.TOO_FEW_FIELDS
                : DamageKind.TOO_MANY_FIELDS);
      }
      row.clear();
      row.bytes = fields.bytes();
      for (int field = 0; field < fields.count(); field++) {
        Optional<DamageKind> fault =
            values.put(
                row, columns.role(field), fields.bytes(), fields.start(field), fields.end(field));
        if (fault.isPresent()) {
          return fault;
        }
      }
      return row.timeFault();
    }

    private DamageKind fault(Fields.Cut cut, int at) {
      if (cut == Fields.Cut.BROKEN || lineEnd(at) < limit(at)) {
        return DamageKind.BAD_QUOTES;
      }
      return chunk.end() - at <= longest ? DamageKind.CUT_ROW : DamageKind.TOO_LONG;
    }

    /** The position of the row's first line feed; after the last byte read if there is none. */
    private int lineEnd(int at) {
      int end = at;
      while (end < limit(at) && chunk.bytes()[end] != '\n') {
        end++;
      }
      return end;
    }

    private int newlines(int from, int to) {
      int newlines = 0;
      for (int at = from; at < to; at++) {
        newlines += chunk.bytes()[at] == '\n' ? 1 : 0;
      }
      return newlines;
    }

    /** Moves past the first line feed at or after a position. */
    private int afterLine(int from) throws IOException {
      int at = from;
      while (true) {
        while (at < chunk.end()) {
          if (chunk.bytes()[at++] == '\n') {
            line++;
            return at;
          }
        }
        if (chunk.exhausted()) {
          return at;
        }
        chunk.advance(at);
        at = 0;
      }
    }
  }
}
