package io.slicewise.jtl;

import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;

/**
 * Reads the samples of an XML file: finds every {@code <}, which stands nowhere but at a tag, and
 * looks only at the tags of samples. JMeter's spelling of a tag is read eight bytes at a time, any
 * other by {@link CarefulTag}; a broken tag costs itself and no more. Nothing is ever expanded, and
 * a document type declaration, the only place for entities, is refused.
 */
final class XmlScanner implements Scanner {
  private static final int IRREGULAR = -1;
  private static final int LONGEST_NAME = 16;
  private static final long NEWLINES = Words.all('\n');
  private static final long LESS_THANS = Words.all('<');
  private static final long QUOTES = Words.all('"');
  private static final long EQUALS = Words.all('=');
  private static final long TRUE = Words.of("true\"");
  private static final long FALSE = Words.of("false\"");
  private static final int MOST_DIGITS = 7;
  private static final int STAMP_DIGITS = 13;

  private final Chunk chunk;
  private final Ledger ledger;
  private final int longest;
  private final CarefulTag careful;
  private final Row row = new Row();

  private byte[] bytes;
  private int at;
  private long line = 1;
  private boolean open;

  /** Whether the root element was closed behind the last sample. */
  private boolean closed;

  /** Elements open from the sample on that counts for all inside it. */
  private int inside;

  XmlScanner(Chunk chunk, Ledger ledger, ReductionOptions options, Limits limits) {
    this.chunk = chunk;
    this.ledger = ledger;
    longest = limits.row();
    careful = new CarefulTag(new Values(options.zone()));
    bytes = chunk.bytes();
  }

  @Override
  public long scan(long until) throws IOException {
    while (findTag()) {
      if (chunk.offset(at) >= until && inside == 0 && sampleName(at + 1) > 0) {
        return chunk.offset(at);
      }
      tag();
    }
    if (!closed) {
      ledger.damage().note(DamageKind.UNCLOSED, line);
    }
    return chunk.offset(at);
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public Format format() {
    return new Format.Xml();
  }

  /** Moves to the next tag, with at least its name in the chunk; false at the end. */
  private boolean findTag() throws IOException {
    while (true) {
      passText();
      boolean whole = chunk.end() - at >= LONGEST_NAME;
      if (whole || chunk.exhausted()) {
        return at < chunk.end();
      }
      advance();
    }
  }

  /** Moves to the next less-than sign, or to the end. */
  private void passText() {
    int end = chunk.end();
    while (at < end) {
      long word = Words.at(bytes, at);
      int length = Math.min(Words.index(Words.matches(word, LESS_THANS)), end - at);
      line += Long.bitCount(Words.first(Words.allMatches(word, NEWLINES), length));
      at += length;
      if (length < 8) {
        return;
      }
    }
  }

  private void advance() throws IOException {
    chunk.advance(at);
    bytes = chunk.bytes();
    at = 0;
  }

  private void tag() throws IOException {
    byte first = bytes[at + 1];
    if (first == '!') {
      passMarkup();
    } else if (first == '/') {
      if (sampleName(at + 2) > 0) {
        inside = Math.max(0, inside - 1);
      }
      closed |= startsWith(at + 2, "testResults");
      at++;
    } else if (sampleName(at + 1) > 0) {
      closed = false;
      sample(at + 1 + sampleName(at + 1));
    } else {
      at++;
    }
  }

  /** The length of a sample's element name if one stands here, else 0. */
  private int sampleName(int start) {
    int length = startsWith(start, "httpSample") ? 10 : startsWith(start, "sample") ? 6 : 0;
    byte behind = bytes[start + length];
    boolean ends =
        behind == ' '
            || behind == '>'
            || behind == '/'
            || behind == '\n'
            || behind == '\r'
            || behind == '\t';
    return ends ? length : 0;
  }

  private boolean startsWith(int start, String text) {
    if (start + text.length() > chunk.end()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[start + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Comments and character data are passed over; a document type is refused. */
  private void passMarkup() throws IOException {
    if (startsWith(at, "<!--")) {
      passTo("-->");
    } else if (startsWith(at, "<![CDATA[")) {
      passTo("]]>");
    } else if (startsWith(at, "<!DOCTYPE") || startsWith(at, "<!ENTITY")) {
      throw new SlicewiseException(
          ExitCode.NO_VALID_DATA,
          "the XML declares a document type, which could name other files to be read",
          "JMeter writes none; take the declaration out if you trust the rest of the file.");
    } else {
      at++;
    }
  }

  private void passTo(String end) throws IOException {
    while (!startsWith(at, end)) {
      boolean near = chunk.end() - at <= end.length();
      if (near && !chunk.exhausted()) {
        advance();
      } else if (at == chunk.end()) {
        return;
      } else {
        line += bytes[at++] == '\n' ? 1 : 0;
      }
    }
  }

  private void sample(int attributes) throws IOException {
    row.clear();
    row.bytes = bytes;
    int next = regular(attributes);
    if (next > 0 && next <= chunk.end() && next - at <= longest) {
      take();
      at = next;
    } else {
      sampleCarefully(attributes - at);
    }
  }

  /** Decides what counts of the sample in {@link #row} and those inside it. */
  private void take() {
    if (inside == 0) {
      ledger.add(row, line);
    }
    enter();
  }

  private void enter() {
    boolean seen = inside > 0 || !row.transaction || ledger.counts(row);
    inside += open && seen ? 1 : 0;
  }

  private void sampleCarefully(int nameLength) throws IOException {
    row.clear();
    CarefulTag.Outcome outcome = careful.read(row, bytes, at + nameLength, limit());
    while (outcome == CarefulTag.Outcome.CUT && !chunk.exhausted() && chunk.end() - at <= longest) {
      advance();
      row.clear();
      outcome = careful.read(row, bytes, at + nameLength, limit());
    }
    if (outcome == CarefulTag.Outcome.CUT) {
      boolean cut = chunk.end() - at <= longest;
      ledger.damage().note(cut ? DamageKind.CUT_ROW : DamageKind.TOO_LONG, line);
      at++;
      return;
    }
    if (outcome == CarefulTag.Outcome.BROKEN) {
      ledger.damage().note(DamageKind.BAD_TAG, line);
      at++;
      return;
    }
    open = careful.open();
    if (careful.fault().isPresent()) {
      ledger.damage().note(careful.fault().get(), line);
      enter();
    } else {
      take();
    }
    while (at < careful.next()) {
      line += bytes[at++] == '\n' ? 1 : 0;
    }
  }

  private int limit() {
    return Math.min(chunk.end(), at + longest);
  }

  /**
   * Fills {@link #row} from a tag in JMeter's spelling and returns the place behind it: one blank
   * before each attribute, double quotes, a timestamp of 13 digits, other numbers of 1 to 7.
   */
  private int regular(int from) {
    boolean timed = false;
    boolean stamped = false;
    int place = from;
    while (bytes[place] == ' ') {
      long word = Words.at(bytes, place + 1);
      int length = Words.index(Words.matches(word, EQUALS));
      int value = place + length + 3;
      byte role = Attributes.role(word, length);
      boolean named = role != Columns.SKIPPED || areLetters(place + 1, length);
      if (length == 8 || !named || bytes[value - 1] != '"') {
        return IRREGULAR;
      }
      timed |= role == Columns.ELAPSED;
      stamped |= role == Columns.TIME_STAMP;
      place = value(role, value);
      if (place < 0) {
        return IRREGULAR;
      }
    }
    open = bytes[place] == '>';
    if (!timed || !stamped || !(open || (bytes[place] == '/' && bytes[place + 1] == '>'))) {
      return IRREGULAR;
    }
    return open ? place + 1 : place + 2;
  }

  private boolean areLetters(int start, int length) {
    int end = start + length;
    int place = start;
    while (place < end && bytes[place] >= 'a' && bytes[place] <= 'z') {
      place++;
    }
    return length > 0 && place == end;
  }

  /** Reads a value and returns the place behind its closing quote. */
  private int value(byte role, int start) {
    switch (role) {
      case Columns.LABEL -> {
        row.labelStart = start;
        row.labelEnd = closingQuote(start);
        return row.labelEnd + 1;
      }
      case Columns.CODE -> {
        row.codeStart = start;
        row.codeEnd = closingQuote(start);
        return row.codeEnd + 1;
      }
      case Columns.MESSAGE -> {
        row.transaction = Transactions.isMessage(bytes, start);
        return closingQuote(start) + 1;
      }
      case Columns.SKIPPED -> {
        return closingQuote(start) + 1;
      }
      case Columns.SUCCESS -> {
        return success(start);
      }
      case Columns.TIME_STAMP -> {
        return timeStamp(start);
      }
      default -> {
        return number(role, start);
      }
    }
  }

  /** The place of the next quote; -2 if a line feed or a less-than sign comes first. */
  private int closingQuote(int start) {
    int place = start;
    while (true) {
      long word = Words.at(bytes, place);
      int quote = Words.index(Words.matches(word, QUOTES));
      long others = Words.matches(word, LESS_THANS) | Words.matches(word, NEWLINES);
      if (Words.index(others) < quote) {
        return IRREGULAR - 1;
      }
      if (quote < 8) {
        return place + quote;
      }
      place += 8;
    }
  }

  private int success(int start) {
    long word = Words.at(bytes, start);
    row.success = Words.first(word, 5) == TRUE;
    return row.success ? start + 5 : Words.first(word, 6) == FALSE ? start + 6 : IRREGULAR;
  }

  private int timeStamp(int start) {
    long head = Words.at(bytes, start);
    long tail = Words.at(bytes, start + 8);
    row.timeStamp =
        Words.number(Words.values(head, 8)) * 100_000L
            + Words.number(Words.values(tail, STAMP_DIGITS - 8));
    boolean plain =
        Words.nonDigits(head) == 0
            && Words.index(Words.nonDigits(tail)) == STAMP_DIGITS - 8
            && bytes[start + STAMP_DIGITS] == '"'
            && Values.isPlausible(row.timeStamp);
    return plain ? start + STAMP_DIGITS + 1 : IRREGULAR;
  }

  private int number(byte role, int start) {
    long word = Words.at(bytes, start);
    int digits = Words.index(Words.nonDigits(word));
    if (digits == 0 || digits > MOST_DIGITS || bytes[start + digits] != '"') {
      return IRREGULAR;
    }
    int number = Words.number(Words.values(word, digits));
    switch (role) {
      case Columns.ELAPSED -> row.elapsed = number;
      case Columns.LATENCY -> row.latency = number;
      case Columns.RECEIVED -> row.received = number;
      case Columns.SENT -> row.sent = number;
      default -> row.threads = number;
    }
    return start + digits + 1;
  }
}
