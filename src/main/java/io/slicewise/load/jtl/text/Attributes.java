package io.slicewise.load.jtl.text;

/** The meaning of the attributes of a sample's XML element, by JMeter's names. */
public final class Attributes {
  private static final int LONGEST = 3;
  private static final long ELAPSED = key("t");
  private static final long LATENCY = key("lt");
  private static final long TIME_STAMP = key("ts");
  private static final long SUCCESS = key("s");
  private static final long LABEL = key("lb");
  private static final long CODE = key("rc");
  private static final long MESSAGE = key("rm");
  private static final long RECEIVED = key("by");
  private static final long SENT = key("sby");
  private static final long THREADS = key("na");
  private static final long THREAD = key("tn");
  private static final long TYPE = key("dt");
  private static final long IDLE = key("it");
  private static final long SAMPLES = key("sc");
  private static final long ERRORS = key("ec");

  private Attributes() {}

  private static long key(String name) {
    return key(Words.of(name), name.length());
  }

  /**
   * Combines letters and their number in one word, so that a name followed by zeros is a different
   * name.
   */
  private static long key(long word, int length) {
    return Words.first(word, length) | (long) length << 56;
  }

  /**
   * Returns the CSV column with the same meaning.
   *
   * @param word eight bytes that start with the name
   * @param length of the name
   */
  public static byte role(long word, int length) {
    if (length > LONGEST) {
      return CsvColumns.SKIPPED;
    }
    long name = key(word, length);
    if (name == ELAPSED) {
      return CsvColumns.ELAPSED;
    }
    if (name == LATENCY) {
      return CsvColumns.LATENCY;
    }
    if (name == TIME_STAMP) {
      return CsvColumns.TIME_STAMP;
    }
    if (name == SUCCESS) {
      return CsvColumns.SUCCESS;
    }
    if (name == LABEL) {
      return CsvColumns.LABEL;
    }
    if (name == CODE) {
      return CsvColumns.CODE;
    }
    if (name == MESSAGE) {
      return CsvColumns.MESSAGE;
    }
    if (name == RECEIVED) {
      return CsvColumns.RECEIVED;
    }
    if (name == SENT) {
      return CsvColumns.SENT;
    }
    if (name == THREAD) {
      return CsvColumns.THREAD;
    }
    if (name == TYPE) {
      return CsvColumns.TYPE;
    }
    if (name == IDLE) {
      return CsvColumns.IDLE;
    }
    if (name == SAMPLES) {
      return CsvColumns.SAMPLES;
    }
    if (name == ERRORS) {
      return CsvColumns.ERRORS;
    }
    return name == THREADS ? CsvColumns.THREADS : CsvColumns.SKIPPED;
  }
}
