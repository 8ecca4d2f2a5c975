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
  private static final int MOST_DIGITS = 7;
  private static final int STAMP_DIGITS = 13;

  private final Chunk chunk;
  private final Ledger ledger;
  private final int longest;
  private final CarefulRow careful;
  private final FieldEnds found = new FieldEnds();
  private final Row row = new Row();

  private Columns columns;
  private int fields;
  private byte delimiter;
  private boolean lastMatters;
  private byte[] bytes;
  private int[] ends;
  private int at;
  private int field;
  private int textStart;
  private int textEnd;
  private int lineInside;
  private long line = 1;
  private long strange;
  private long stampHead;
  private long stampHeadMillis;

  CsvScanner(Chunk chunk, Columns columns, Ledger ledger, ReductionOptions options, Limits limits) {
    this.chunk = chunk;
    this.ledger = ledger;
    longest = limits.row();
    careful = new CarefulRow(chunk, ledger, options, limits);
    use(columns);
  }

  private void use(Columns now) {
    columns = now;
    fields = now.count();
    delimiter = now.delimiter();
    lastMatters = now.role(fields - 1) != Columns.SKIPPED;
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
    field += fields;
    at = ends[field] + 1;
    line++;
    if (lineInside < found.linesInside()) {
      line += passLinesInside();
    }
  }

  /** Passes the line feeds inside the quotes of the row just taken, and counts them. */
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
      findEnds();
    }
  }

  /** Goes on to the row that begins here, if the field ends found are still those of rows. */
  private boolean catchUp() {
    int next = field + 1;
    while (next < found.count() && ends[next] < at - 1) {
      if (bytes[ends[next]] == '\n') {
        return false;
      }
      next++;
    }
    if (next == found.count() || ends[next] != at - 1 || bytes[ends[next]] != '\n') {
      return false;
    }
    field = next;
    passLinesInside();
    return true;
  }

  /**
   * Fills {@link #row} if the row here is regular: as many fields as there are columns, a timestamp
   * of 13 digits, other numbers of 1 to 7, true or false, and no quotes inside of quotes.
   */
  private boolean regular() {
    int last = field + fields;
    if (last >= found.count() || bytes[ends[last]] != '\n' || ends[last] - at >= longest) {
      return false;
    }
    int others = 0;
    for (int i = field + 1; i < last; i++) {
      others |= bytes[ends[i]] ^ delimiter;
    }
    strange = others;
    if (bytes[ends[last] - 1] == '\r' && lastMatters) {
      return false;
    }
    row.bytes = bytes;
    numbers();
    timeStamp();
    return strange == 0 && Values.isPlausible(row.timeStamp) && success() && texts();
  }

  private void numbers() {
    row.elapsed = number(columns.elapsed());
    row.latency = told(columns.latency(), Row.UNTOLD);
    row.threads = told(columns.threads(), Row.UNTOLD);
    row.received = told(columns.received(), 0);
    row.sent = told(columns.sent(), 0);
  }

  private int told(int column, int untold) {
    return column < 0 ? untold : number(column);
  }

  /** Reads a number without a branch; what is wrong with it is left in {@link #strange}. */
  private int number(int column) {
    int start = ends[field + column] + 1;
    int digits = ends[field + column + 1] - start;
    long values = Words.values(Words.at(bytes, start), digits);
    strange |= Words.aboveNine(values) | ((digits - 1) >>> 31) | ((MOST_DIGITS - digits) >>> 31);
    return Words.number(values);
  }

  /** The first eight digits are those of the row before for 27 hours, and not read again. */
  private void timeStamp() {
    int column = field + columns.timeStamp();
    int start = ends[column] + 1;
    long head = Words.at(bytes, start);
    if (head != stampHead) {
      long values = Words.values(head, 8);
      boolean digits = Words.aboveNine(values) == 0;
      stampHead = digits ? head : 0;
      stampHeadMillis = digits ? Words.number(values) * 100_000L : 0;
    }
    long tail = Words.values(Words.at(bytes, start + 8), STAMP_DIGITS - 8);
    strange |= Words.aboveNine(tail) | ((ends[column + 1] - start) ^ STAMP_DIGITS);
    row.timeStamp = stampHeadMillis + Words.number(tail);
  }

  private boolean success() {
    if (columns.success() < 0) {
      row.success = true;
      return true;
    }
    int start = ends[field + columns.success()] + 1;
    int length = ends[field + columns.success() + 1] - start;
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
    row.transaction = columns.message() >= 0 && isTransaction();
    return plain;
  }

  private boolean isTransaction() {
    int start = ends[field + columns.message()] + 1;
    return Transactions.isMessage(bytes, bytes[start] == '"' ? start + 1 : start);
  }

  /** Finds a text without its quotes; says whether it holds no quote itself. */
  private boolean text(int column) {
    if (column < 0) {
      textStart = at;
      textEnd = at;
      return true;
    }
    textStart = ends[field + column] + 1;
    textEnd = ends[field + column + 1];
    return bytes[textStart] != '"' || quotedText();
  }

  private boolean quotedText() {
    textStart++;
    textEnd--;
    int quote = textStart;
    while (quote < textEnd && bytes[quote] != '"') {
      quote++;
    }
    return quote == textEnd;
  }
}
