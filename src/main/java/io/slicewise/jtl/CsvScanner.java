package io.slicewise.jtl;

import java.io.IOException;

/**
 * Reads the rows of a CSV file: first where all fields of a chunk end, then what the fields of a
 * column say, then row by row what counts.
 *
 * <p>Whatever is not a plain sound row is left to {@link CarefulRow}, which knows all the rest; so
 * this class stays small, and what is compiled of it too.
 */
final class CsvScanner implements Scanner {
  private static final long TRUE = Words.of("true");
  private static final long FALSE = Words.of("false");

  private static final int SHORT_REACH = 1 << 12;
  private static final int LONG_REACH = 1 << 20;

  private final Chunk chunk;
  private final Ledger ledger;
  private final int longest;
  private final CarefulRow careful;
  private final FieldEnds found = new FieldEnds();
  private final FieldValues values = new FieldValues();
  private final Row row = new Row();

  private Columns columns;
  private int label;
  private int code;
  private int message;
  private int success;
  private boolean textIsLast;
  private byte[] bytes;
  private int at;
  private int next;
  private int lineInside;
  private long line = 1;
  private int reach = LONG_REACH;

  CsvScanner(Chunk chunk, Columns columns, Ledger ledger, ReductionOptions options, Limits limits) {
    this.chunk = chunk;
    this.ledger = ledger;
    longest = limits.row();
    careful = new CarefulRow(chunk, ledger, options, limits);
    use(columns);
  }

  private void use(Columns now) {
    columns = now;
    label = now.column(Columns.LABEL);
    code = now.column(Columns.CODE);
    message = now.column(Columns.MESSAGE);
    success = now.column(Columns.SUCCESS);
    textIsLast = label == now.count() - 1 || code == now.count() - 1;
    row.clear();
  }

  @Override
  public long scan(long until) throws IOException {
    find();
    while (true) {
      takeRows(until);
      if (chunk.offset(at) >= until || (at == chunk.end() && chunk.exhausted())) {
        return chunk.offset(at);
      }
      if (found.stopped() || chunk.end() - at > longest || (atEnd() && chunk.exhausted())) {
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

  /** Takes the rows found, up to the first that begins at a place in the file or behind it. */
  private void takeRows(long until) throws IOException {
    while (next < found.rowCount() && chunk.offset(at) < until) {
      if (!take()) {
        readCarefully();
      }
    }
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
   * Finds the rows from here on. Behind a quote that made no sense only those near by, so that many
   * such quotes cost no more than in proportion.
   */
  private void find() {
    bytes = chunk.bytes();
    int to = chunk.end() - at > reach ? at + reach : chunk.end();
    found.find(bytes, at, to, columns.delimiter(), columns.count());
    values.read(bytes, found, columns);
    reach = found.stopped() ? SHORT_REACH : Math.min(2 * reach, LONG_REACH);
    next = 0;
    lineInside = 0;
  }

  /** Takes the row here if it is a plain sound one. */
  private boolean take() {
    int[] ends = found.ends();
    int first = found.rows()[next];
    int end = ends[found.rows()[next + 1]];
    if (values.isStrange(next)
        || end - at >= longest
        || (textIsLast && bytes[end - 1] == '\r')
        || !readSuccess(ends, first)) {
      return false;
    }
    readTexts(ends, first);
    values.put(row, next);
    row.bytes = bytes;
    ledger.add(row, line);
    next++;
    line++;
    at = end + 1;
    if (lineInside < found.linesInside()) {
      line += passLinesInside();
    }
    return true;
  }

  private boolean readSuccess(int[] ends, int first) {
    if (success < 0) {
      row.success = true;
      return true;
    }
    int start = ends[first + success] + 1;
    int length = ends[first + success + 1] - start;
    long word = Words.first(Words.at(bytes, start), length);
    row.success = length == 4 && word == TRUE;
    return row.success || (length == 5 && word == FALSE);
  }

  /** Where the texts lie, quotes and all. */
  private void readTexts(int[] ends, int first) {
    if (label >= 0) {
      row.labelStart = ends[first + label] + 1;
      row.labelEnd = ends[first + label + 1];
    }
    if (code >= 0 && !row.success) {
      row.codeStart = ends[first + code] + 1;
      row.codeEnd = ends[first + code + 1];
    }
    row.transaction =
        message >= 0 && Transactions.isMessageAsSpelt(bytes, ends[first + message] + 1);
  }

  /** Passes the line feeds inside the quotes of the rows before here, and counts them. */
  private int passLinesInside() {
    int before = lineInside;
    while (lineInside < found.linesInside() && found.lineInside(lineInside) < at) {
      lineInside++;
    }
    return lineInside - before;
  }

  private void readCarefully() throws IOException {
    int moves = chunk.moves();
    Columns used = columns;
    at = careful.read(at, line, columns);
    line = careful.line();
    use(careful.columns());
    if (chunk.moves() != moves || !columns.equals(used) || !catchUp()) {
      find();
    }
  }

  /** Goes on to the row that begins here, if it is among those found. */
  private boolean catchUp() {
    int[] ends = found.ends();
    while (next < found.rowCount() && ends[found.rows()[next]] + 1 < at) {
      next++;
    }
    passLinesInside();
    return ends[found.rows()[next]] + 1 == at;
  }
}
