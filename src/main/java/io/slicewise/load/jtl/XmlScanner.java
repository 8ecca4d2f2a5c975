package io.slicewise.load.jtl;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Format.Intake;
import io.slicewise.load.jtl.Format.ReaderLimits;
import io.slicewise.load.jtl.Format.Scanner;
import io.slicewise.load.jtl.Kinship.PartName;
import io.slicewise.load.jtl.text.Chunk;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.Words;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads the samples of an XML file: finds every {@code <}, which occurs only in tags, and reads
 * only the tags of samples. Tags in JMeter's spelling are read eight bytes at a time, others by
 * {@link CarefulTag}; a broken tag costs only itself. Elements of other names are samples, too, if
 * they have both times, as those of plug-ins have. Entities are never expanded, and document type
 * declarations, which could define them, are rejected.
 */
final class XmlScanner implements Scanner {
  private static final int LONGEST_NAME = 16;
  private static final long NEWLINES = Words.all('\n');
  private static final long LESS_THANS = Words.all('<');
  private static final long SAMPLE = Words.of("sample");
  private static final long HTTP_SAMPLE = Words.of("httpSamp");
  private static final long HTTP_SAMPLE_END = Words.of("le");

  private final Chunk chunk;
  private final String root;
  private final Intake intake;
  private final int longest;
  private final CarefulTag careful;
  private final TagLayout layout = new TagLayout();
  private final Row row = new Row();
  private final int ahead;

  private byte[] bytes;
  private int at;
  private long line = 1;
  private boolean open;

  /** Whether the root element was closed after the last sample. */
  private boolean closed;

  /** The names of open samples that are neither of the usual two. */
  private final Set<String> others = new HashSet<>();

  /** The depth of open elements inside a sample that counts for all its contents. */
  private int inside;

  XmlScanner(
      Chunk chunk, String root, Intake intake, ReductionOptions options, ReaderLimits limits) {
    this.chunk = chunk;
    this.root = root;
    this.intake = intake;
    longest = limits.row();
    ahead = Math.max(LONGEST_NAME, limits.chunk() >> 7);
    careful = new CarefulTag(new Values(options.zone()));
    bytes = chunk.bytes();
  }

  @Override
  public long scan(long until) throws IOException {
    intake.columns(CsvColumns.XML);
    while (!intake.enough() && findTag()) {
      if (chunk.offset(at) >= until && inside == 0 && sampleName(at + 1) > 0) {
        return chunk.offset(at);
      }
      tag();
      takePlain(until);
    }
    if (!closed && !intake.enough()) {
      intake.damage().note(DamageKind.UNCLOSED, line);
    }
    return chunk.offset(at);
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public Format format() {
    return new Format.Xml(root);
  }

  /** Takes consecutive lines with samples, up to anything else. */
  private void takePlain(long until) {
    long stop = Math.min(chunk.end() - LONGEST_NAME, until - chunk.offset(0));
    while (at < stop && bytes[at] == '\n' && bytes[at + 1] == '<') {
      at++;
      line++;
      int name = sampleName(at + 1);
      int next = name > 0 && at < stop ? read(at + 1 + name) : TagLayout.NONE;
      if (next < 0 || mayHoldRequests()) {
        return;
      }
      closed = false;
      take();
      at = next;
    }
  }

  /** Moves to the next tag, with at least its name and usually all of it in the chunk. */
  private boolean findTag() throws IOException {
    while (true) {
      passText();
      boolean whole = chunk.end() - at >= ahead;
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
      if (sampleName(at + 2) > 0 || endsOther()) {
        inside = Math.max(0, inside - 1);
      }
      closed |= startsWith(at + 2, root);
      at++;
    } else if (sampleName(at + 1) > 0) {
      closed = false;
      sample(at + 1 + sampleName(at + 1));
    } else {
      otherElement();
    }
  }

  /** Takes an element of another name if it is a sample. */
  private void otherElement() throws IOException {
    int end = nameEnd();
    while (end == chunk.end() && !chunk.exhausted() && end - at <= longest) {
      advance();
      end = nameEnd();
    }
    if (end < chunk.end() && end > at + 1 && CarefulTag.isBlank(bytes[end])) {
      sampleCarefully(end - at, true);
    } else {
      at++;
    }
  }

  /** The end of the name of the element that begins here. */
  private int nameEnd() {
    int end = at + 1;
    while (end < limit() && CarefulTag.isNameLetter(bytes[end])) {
      end++;
    }
    return end;
  }

  private boolean endsOther() {
    return !others.isEmpty() && others.stream().anyMatch(this::endsHere);
  }

  private boolean endsHere(String name) {
    return startsWith(at + 2, name) && !CarefulTag.isNameLetter(bytes[at + 2 + name.length()]);
  }

  /** The length of a sample's element name at this position, or 0. */
  private int sampleName(int start) {
    return sampleName(bytes, start);
  }

  static int sampleName(byte[] bytes, int start) {
    long word = Words.at(bytes, start);
    boolean http =
        word == HTTP_SAMPLE && Words.first(Words.at(bytes, start + 8), 2) == HTTP_SAMPLE_END;
    int length = http ? 10 : Words.first(word, 6) == SAMPLE ? 6 : 0;
    byte following = bytes[start + length];
    boolean ends =
        following == ' '
            || following == '>'
            || following == '/'
            || following == '\n'
            || following == '\r'
            || following == '\t';
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

  /** Skips comments and character data; rejects a document type. */
  private void passMarkup() throws IOException {
    if (startsWith(at, "<!--")) {
      passTo("-->");
    } else if (startsWith(at, "<![CDATA[")) {
      passTo("]]>");
    } else if (startsWith(at, "<!DOCTYPE") || startsWith(at, "<!ENTITY")) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          "the XML declares a document type, which could name other files to be read",
          "JMeter writes none; remove the declaration if you trust the rest of the file.");
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
    int next = read(attributes);
    if (next < 0 && layout.learn(bytes, attributes)) {
      next = read(attributes);
    }
    if (next > 0) {
      if (isDecided(next)) {
        take();
        at = next;
      }
    } else {
      sampleCarefully(attributes - at, false);
    }
  }

  /** Fills {@link #row} from a tag of the known layout; returns the position after it, or none. */
  private int read(int attributes) {
    row.clear();
    row.bytes = bytes;
    int end = layout.read(row, bytes, attributes);
    if (end < 0) {
      return TagLayout.NONE;
    }
    open = bytes[end] == '>';
    int next = open ? end + 1 : end + 2;
    boolean ends = bytes[next - 1] == '>' && (open || bytes[end] == '/');
    return ends && next <= chunk.end() && next - at <= longest ? next : TagLayout.NONE;
  }

  /** Decides which of the sample in {@link #row} and its contents count. */
  private void take() {
    if (inside == 0) {
      intake.add(row, line);
    }
    enter();
  }

  /** Whether the sample may be a transaction without its message, around its requests. */
  private boolean mayHoldRequests() {
    return open && inside == 0 && row.isBare();
  }

  /**
   * Decides whether a sample without a message is a transaction: the first sample inside it is not
   * named as its part. Otherwise, or if that sample is not within the bytes of a row, it is a
   * request. Reads on if the first sample is not in the chunk yet.
   *
   * @param afterTag the position after the sample's tag
   * @return false if the tag must be read again
   */
  private boolean isDecided(int afterTag) throws IOException {
    if (!mayHoldRequests()) {
      return true;
    }
    String name = new String(bytes, at + 1, nameEnd() - at - 1, StandardCharsets.ISO_8859_1);
    FirstInside first = FirstInside.find(bytes, afterTag, limit(), "</" + name);
    boolean more = !chunk.exhausted() && chunk.end() - at <= longest;
    if (!first.seen() && more) {
      advance();
      return false;
    }
    row.inferred = first.isRequestOf(row);
    row.transaction = row.inferred;
    row.described = first.isPartOf(row) || !first.seen();
    return true;
  }

  private void enter() {
    inside += open && (inside > 0 || intake.isWhole(row)) ? 1 : 0;
  }

  /**
   * Reads the tag of a sample in any spelling.
   *
   * @param other whether it is a sample only if it has both times
   */
  private void sampleCarefully(int nameLength, boolean other) throws IOException {
    row.clear();
    CarefulTag.Outcome outcome = careful.read(row, bytes, at + nameLength, limit());
    while (outcome == CarefulTag.Outcome.CUT && !chunk.exhausted() && chunk.end() - at <= longest) {
      advance();
      row.clear();
      outcome = careful.read(row, bytes, at + nameLength, limit());
    }
    if (other && (outcome != CarefulTag.Outcome.READ || row.timeStamp < 0 || row.elapsed < 0)) {
      at++;
      return;
    }
    if (outcome == CarefulTag.Outcome.CUT) {
      boolean cut = chunk.end() - at <= longest;
      intake.damage().note(cut ? DamageKind.CUT_ROW : DamageKind.TOO_LONG, line);
      at++;
      return;
    }
    if (outcome == CarefulTag.Outcome.BROKEN) {
      intake.damage().note(DamageKind.BAD_TAG, line);
      at++;
      return;
    }
    open = careful.open();
    if (other) {
      closed = false;
      if (open) {
        others.add(new String(bytes, at + 1, nameLength - 1, StandardCharsets.ISO_8859_1));
      }
    }
    if (careful.fault().isPresent()) {
      intake.damage().note(careful.fault().get(), line);
      enter();
    } else if (!isDecided(careful.next())) {
      return;
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
   * The first sample inside another XML sample.
   *
   * @param seen whether the bytes contain such a sample or the end of the outer one
   * @param present whether it exists
   * @param label as spelled in the file; empty if there is no sample
   */
  private record FirstInside(boolean seen, boolean present, String label) {
    private static final FirstInside UNSEEN = new FirstInside(false, false, "");

    private static final FirstInside NONE = new FirstInside(true, false, "");

    /** The maximum number of bytes from a less-than sign to the end of a sample tag's name. */
    private static final int LONGEST_NAME = 16;

    private static final String LABEL = " lb=\"";

    /**
     * Searches between two positions.
     *
     * @param outerEnd how the end tag of the outer sample begins
     */
    static FirstInside find(byte[] bytes, int from, int to, String outerEnd) {
      byte[] ends = outerEnd.getBytes(StandardCharsets.ISO_8859_1);
      for (int at = from; at + LONGEST_NAME < to; at++) {
        if (bytes[at] == '<' && XmlScanner.sampleName(bytes, at + 1) > 0) {
          return tag(bytes, at, to);
        }
        if (bytes[at] == '<' && bytes[at + 1] == '/') {
          int end = at + ends.length;
          if (XmlScanner.sampleName(bytes, at + 2) > 0
              || (end < to
                  && Arrays.equals(bytes, at, end, ends, 0, ends.length)
                  && !CarefulTag.isNameLetter(bytes[end]))) {
            return NONE;
          }
        } else if (bytes[at] == '<' && isOther(bytes, at + 1, to)) {
          return tag(bytes, at, to);
        }
      }
      return UNSEEN;
    }

    /** Whether a tag has both times in JMeter's spelling. */
    private static boolean isOther(byte[] bytes, int from, int to) {
      int end = from;
      while (end < to && bytes[end] != '>' && bytes[end] != '<') {
        end++;
      }
      String tag = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
      return end < to && bytes[end] == '>' && tag.contains(" t=\"") && tag.contains(" ts=\"");
    }

    private static FirstInside tag(byte[] bytes, int from, int to) {
      int end = from;
      while (end < to && bytes[end] != '>') {
        end++;
      }
      if (end == to) {
        return UNSEEN;
      }
      String tag = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
      int start = tag.indexOf(LABEL);
      int label = start + LABEL.length();
      int labelEnd = start < 0 ? -1 : tag.indexOf('"', label);
      return new FirstInside(true, true, labelEnd < 0 ? "" : tag.substring(label, labelEnd));
    }

    /** Whether this is a request inside a transaction. */
    boolean isRequestOf(Row around) {
      return present && !isPartOf(around);
    }

    /** Whether this is a part of a request. */
    boolean isPartOf(Row around) {
      int length = around.labelEnd - around.labelStart;
      String request =
          new String(around.bytes, around.labelStart, length, StandardCharsets.ISO_8859_1);
      return present && PartName.isOf(label, request);
    }
  }
}
