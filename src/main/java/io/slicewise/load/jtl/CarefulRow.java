package io.slicewise.load.jtl;

import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Format.Intake;
import io.slicewise.load.jtl.Format.ReaderLimits;
import io.slicewise.load.jtl.text.Chunk;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads an irregular CSV row: a header, a valid row in an unusual spelling, or a broken one. A
 * broken row only costs its first line: an unclosed quote may have swallowed rows up to the next
 * quote, so these are read again.
 */
final class CarefulRow {
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
    return fields.cut(chunk.bytes(), from, limit(at), columns.delimiter());
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
    return Optional.empty();
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
