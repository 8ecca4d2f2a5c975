package io.slicewise.load.jtl;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

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
      return new Xml();
    }
    int lineEnd = start.indexOf('\n');
    String line = lineEnd < 0 ? start : start.substring(0, lineEnd);
    return new Csv(
        CsvColumns.header(line).orElseGet(() -> CsvColumns.named(options.columns(), ',')));
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

  /** Elements with attributes. */
  record Xml() implements Format {
    private static final long HTTP_SAMPLE = Words.of("<httpSample");
    private static final long SAMPLE = Words.of("<sample ");

    @Override
    public Scanner scanner(
        Chunk chunk, Intake intake, ReductionOptions options, ReaderLimits limits) {
      return new XmlScanner(chunk, intake, options, limits);
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
}
