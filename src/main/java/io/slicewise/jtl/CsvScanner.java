package io.slicewise.jtl;

import java.io.IOException;

/**
 * Reads the rows of a CSV file: first where all fields of a chunk end, then row by row what the
 * fields say.
 *
 * <p>Whatever is not a plain sound row (see {@link #regular}) is left to {@link CarefulRow}, which
 * knows all the rest; so this class stays small, and what is compiled of it too.
 */
final class CsvScanner implements Scanner {
  private static final long TRUE = Words.of("true");
  private static final long FALSE = Words.of("false");
  private static final int IRREGULAR = -2;
  private static final int MOST_DIGITS = 7;
  private static final int STAMP_DIGITS = 13;

  private final Chunk chunk;
  private final Ledger ledger;
  private final int longest;
  private final CarefulRow careful;
  private final FieldEnds found = new FieldEnds();
  private final Row row = new Row();

  private Columns columns;
  private byte[] bytes;
  private int[] ends;
  private int at;
  private int field;
  private int rowEnd;
  private int textStart;
  private int textEnd;
  private int lineInside;
  private long line = 1;

  CsvScanner(Chunk chunk, Columns columns, Ledger ledger, ReductionOptions options, Limits limits) {
    this.chunk = chunk;
    this.columns = columns;
    this.ledger = ledger;
    longest = limits.row();
    careful = new CarefulRow(chunk, ledger, options, limits);
  }

  @Override
  public long scan(long until) throws IOException {
    findEnds();
    while (true) {
      while (at < chunk.end() && chunk.offset(at) < until) {
        if (regular()) {
          takeRow();
        } else {
          readCarefully();
        }
      }
      if (chunk.offset(at) >= until || chunk.exhausted()) {
        return chunk.offset(at);
      }
      chunk.advance(at);
      at = 0;
      findEnds();
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

  private void findEnds() {
    bytes = chunk.bytes();
    found.find(bytes, at, chunk.end(), columns.delimiter());
    ends = found.ends();
    field = 0;
    lineInside = 0;
  }

  private void takeRow() {
    ledger.add(row, line);
    field += columns.count();
    at = ends[field - 1] + 1;
    line++;
    while (lineInside < found.linesInside() && found.lineInside(lineInside) < at) {
      lineInside++;
      line++;
    }
  }

  private void readCarefully() throws IOException {
    Columns used = columns;
    int moves = chunk.moves();
    at = careful.read(at, line, columns);
    line = careful.line();
    columns = careful.columns();
    if (chunk.moves() != moves || !columns.equals(used) || !catchUp()) {
      findEnds();
    }
  }

  /** Goes on to the row that begins here, if the field ends found are still those of rows. */
  private boolean catchUp() {
    int next = field;
    while (next < found.count() && ends[next] < at - 1) {
      if (bytes[ends[next]] == '\n') {
        return false;
      }
      next++;
    }
    if (next == found.count() || ends[next] != at - 1 || bytes[ends[next]] != '\n') {
      return false;
    }
    field = next + 1;
    while (lineInside < found.linesInside() && found.lineInside(lineInside) < at) {
      lineInside++;
    }
    return true;
  }

  /**
   * Fills {@link #row} if the row here is regular: as many fields as there are columns, a timestamp
   * of 13 digits, other numbers of 1 to 7, true or false, and no quotes inside of quotes.
   */
  private boolean regular() {
    int last = field + columns.count() - 1;
    if (last >= found.count() || bytes[ends[last]] != '\n' || ends[last] - at >= longest) {
      return false;
    }
    int strange = 0;
    for (int i = field; i < last; i++) {
      strange |= bytes[ends[i]] ^ columns.delimiter();
    }
    if (strange != 0) {
      return false;
    }
    boolean returned =
        bytes[ends[last] - 1] == '\r' && ends[last] - 1 >= start(columns.count() - 1);
    rowEnd = returned ? ends[last] - 1 : ends[last];
    row.bytes = bytes;
    return numbers() && timeStamp() && success() && texts();
  }

  private boolean numbers() {
    int received = number(columns.received());
    int sent = number(columns.sent());
    row.elapsed = number(columns.elapsed());
    row.latency = number(columns.latency());
    row.threads = number(columns.threads());
    row.received = Math.max(0, received);
    row.sent = Math.max(0, sent);
    int least = Math.min(Math.min(received, sent), Math.min(row.latency, row.threads));
    return row.elapsed >= 0 && least > IRREGULAR;
  }

  private int number(int column) {
    if (column < 0) {
      return Row.UNTOLD;
    }
    int start = start(column);
    int digits = end(column) - start;
    long word = Words.at(bytes, start);
    boolean plain = digits > 0 && digits <= MOST_DIGITS && Words.areDigits(word, digits);
    return plain ? Words.number(word, digits) : IRREGULAR;
  }

  private boolean timeStamp() {
    int start = start(columns.timeStamp());
    long head = Words.at(bytes, start);
    long tail = Words.at(bytes, start + 8);
    row.timeStamp = Words.number(head, 8) * 100_000L + Words.number(tail, STAMP_DIGITS - 8);
    return end(columns.timeStamp()) - start == STAMP_DIGITS
        && Words.areDigits(head, 8)
        && Words.areDigits(tail, STAMP_DIGITS - 8)
        && Values.isPlausible(row.timeStamp);
  }

  private boolean success() {
    if (columns.success() < 0) {
      row.success = true;
      return true;
    }
    int start = start(columns.success());
    int length = end(columns.success()) - start;
    long word = Words.first(Words.at(bytes, start), length);
    row.success = length == 4 && word == TRUE;
    return row.success || (length == 5 && word == FALSE);
  }

  private boolean texts() {
    boolean plain = text(columns.label());
    row.labelStart = textStart;
    row.labelEnd = textEnd;
    plain &= text(columns.code());
    row.codeStart = textStart;
    row.codeEnd = textEnd;
    text(columns.message());
    row.transaction = columns.message() >= 0 && Transactions.isMessage(bytes, textStart);
    return plain;
  }

  /** Finds a text without its quotes; says whether it holds no quote itself. */
  private boolean text(int column) {
    if (column < 0) {
      textStart = at;
      textEnd = at;
      return true;
    }
    textStart = start(column);
    textEnd = end(column);
    if (textStart == textEnd || bytes[textStart] != '"') {
      return true;
    }
    textStart++;
    textEnd--;
    int quote = textStart;
    while (quote < textEnd && bytes[quote] != '"') {
      quote++;
    }
    return quote == textEnd;
  }

  private int start(int column) {
    return column == 0 ? at : ends[field + column - 1] + 1;
  }

  private int end(int column) {
    return column == columns.count() - 1 ? rowEnd : ends[field + column];
  }
}
