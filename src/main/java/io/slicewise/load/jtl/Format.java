package io.slicewise.load.jtl;

import io.slicewise.load.jtl.text.Chunk;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.Words;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The format of samples, as far as it must be known before reading the first. */
sealed interface Format {
  Scanner scanner(Chunk chunk, Intake intake, ReductionOptions options, ReaderLimits limits);

  /** Whether the bytes at a line's start look like a sample; a guess that is checked later. */
  boolean looksLikeRow(byte[] bytes, int at);

  /** Decodes text as spelled in the file. */
  UnaryOperator<String> decoder();

  /**
   * Recognizes the format from a file's first bytes.
   *
   * @param head at least the first line, if there is one
   */
  static Format of(byte[] head, ReductionOptions options, ReaderLimits limits) {
    int length = Math.min(head.length, limits.row());
    String text = new String(head, 0, length, StandardCharsets.ISO_8859_1);
    String start = text.startsWith("\u00ef\u00bb\u00bf") ? text.substring(3) : text;
    if (start.stripLeading().startsWith("<")) {
      return new Xml(Xml.root(start));
    }
    int lineEnd = start.indexOf('\n');
    String line = lineEnd < 0 ? start : start.substring(0, lineEnd);
    return new Csv(
        CsvColumns.header(line).orElseGet(() -> CsvColumns.unnamed(options.columns(), line)));
  }

  /** Rows of fields. */
  record Csv(CsvColumns columns) implements Format {
    @Override
    public Scanner scanner(
        Chunk chunk, Intake intake, ReductionOptions options, ReaderLimits limits) {
      return new CsvScanner(chunk, columns, intake, options, limits);
    }

    @Override
    public boolean looksLikeRow(byte[] bytes, int at) {
      return columns.column(CsvColumns.TIME_STAMP) != 0
          || Words.nonDigits(Words.at(bytes, at)) == 0;
    }

    @Override
    public UnaryOperator<String> decoder() {
      return CsvColumns::unquoted;
    }
  }

  /**
   * Elements with attributes.
   *
   * @param root the name of the element around all samples
   */
  record Xml(String root) implements Format {
    static final String ROOT = "testResults";

    private static final Pattern FIRST =
        Pattern.compile(
            "\\s*(?:<\\?[^>]*>\\s*|<!--(?:(?!-->)[^<])*-->\\s*)*+<([A-Za-z_][^\\s<>/\"'=]*)");

    private static final long HTTP_SAMPLE = Words.of("<httpSample");
    private static final long SAMPLE = Words.of("<sample ");

    @Override
    public Scanner scanner(
        Chunk chunk, Intake intake, ReductionOptions options, ReaderLimits limits) {
      return new XmlScanner(chunk, root, intake, options, limits);
    }

    /** The first element's name; JMeter's if that is a sample, as in a part of a file. */
    static String root(String head) {
      Matcher first = FIRST.matcher(head);
      return first.lookingAt() && !first.group(1).matches("sample|httpSample")
          ? first.group(1)
          : ROOT;
    }

    @Override
    public boolean looksLikeRow(byte[] bytes, int at) {
      long word = Words.at(bytes, at);
      return word == HTTP_SAMPLE || word == SAMPLE;
    }

    @Override
    public UnaryOperator<String> decoder() {
      return Entities::decode;
    }
  }

  /**
   * Decodes the text of an XML attribute: the five predefined entities, character references, and
   * blanks for line ends. Other entities are never expanded.
   */
  final class Entities {
    private static final Pattern REFERENCE =
        Pattern.compile("&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));");
    private static final Map<String, String> NAMED =
        Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");

    private Entities() {}

    static String decode(String text) {
      return isPlain(text) ? text : decoded(text);
    }

    private static boolean isPlain(String text) {
      for (int i = 0; i < text.length(); i++) {
        char letter = text.charAt(i);
        if (letter == '&' || letter == '\r' || letter == '\n' || letter == '\t') {
          return false;
        }
      }
      return true;
    }

    private static String decoded(String text) {
      String blanks = text.replace("\r\n", " ").replaceAll("[\r\n\t]", " ");
      return REFERENCE
          .matcher(blanks)
          .replaceAll(reference -> Matcher.quoteReplacement(meaning(reference)));
    }

    private static String meaning(MatchResult reference) {
      if (reference.group(3) != null) {
        return NAMED.get(reference.group(3));
      }
      int point =
          reference.group(1) != null
              ? Integer.parseInt(reference.group(1), 16)
              : Integer.parseInt(reference.group(2));
      return Character.isValidCodePoint(point) ? Character.toString(point) : reference.group();
    }
  }

  /** Receives the samples that a scanner reads. */
  sealed interface Intake permits Ledger, Kinship {
    /** The log of what the scanner cannot read. */
    DamageLog damage();

    /**
     * Sets the columns of the following rows; called before any row, and again when a header
     * changes them.
     */
    void columns(CsvColumns columns);

    /** Whether the scanner may stop because nothing more is needed. */
    boolean enough();

    /** Whether the contents of an XML element are part of it and are not read separately. */
    boolean isWhole(Row row);

    /**
     * Adds one valid sample.
     *
     * @param line on which it begins
     */
    void add(Row row, long line);

    /**
     * Adds successful requests: all rows from {@code from}, up to the first that must be read
     * separately.
     *
     * @return that row, or {@code to}
     */
    int add(PlainRows rows, int from, int to);
  }

  /** Reads samples into a ledger, from a position in a file. */
  interface Scanner {
    /**
     * Reads all rows that begin before a position in the file.
     *
     * @return the start of the first row after them, or the file's end
     */
    long scan(long until) throws IOException;

    /** The line number at which that row begins, counted from this scanner's first. */
    long line();

    /** The format of the rest, which differs from the start after a header in between. */
    Format format();
  }

  /**
   * Limits that bound memory whatever the file contains. Tests use tiny ones to reach every limit.
   *
   * @param chunk bytes read at once
   * @param row longest row in bytes
   * @param labels with their own counts
   * @param codes of errors with their own counts, per label
   * @param seconds in the series
   */
  record ReaderLimits(int chunk, int row, int labels, int codes, int seconds) {
    static final ReaderLimits STANDARD =
        new ReaderLimits(128 << 10, 1 << 20, 4096, 256, Reduction.LONGEST_SERIES);
  }
}
