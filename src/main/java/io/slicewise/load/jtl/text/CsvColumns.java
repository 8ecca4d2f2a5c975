package io.slicewise.load.jtl.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The meaning of the fields of a CSV row. */
public final class CsvColumns {
  public static final byte SKIPPED = 0;
  public static final byte TIME_STAMP = 1;
  public static final byte ELAPSED = 2;
  public static final byte LABEL = 3;
  public static final byte CODE = 4;
  public static final byte MESSAGE = 5;
  public static final byte SUCCESS = 6;
  public static final byte RECEIVED = 7;
  public static final byte SENT = 8;
  public static final byte THREADS = 9;
  public static final byte LATENCY = 10;
  public static final byte THREAD = 11;
  public static final byte ADDRESS = 12;
  public static final byte TYPE = 13;
  public static final byte IDLE = 14;

  /** The number of samples that a row sums up, and how many of them failed. */
  public static final byte SAMPLES = 15;

  public static final byte ERRORS = 16;

  /** One more than the last. */
  static final int ROLES = 17;

  private static final List<String> NAMES =
      List.of(
          "",
          "timeStamp",
          "elapsed",
          "label",
          "responseCode",
          "responseMessage",
          "success",
          "bytes",
          "sentBytes",
          "allThreads",
          "Latency",
          "threadName",
          "URL",
          "dataType",
          "IdleTime",
          "SampleCount",
          "ErrorCount");

  /** No columns. */
  public static final CsvColumns NONE = new CsvColumns(new byte[0], (byte) ',');

  /** The attributes of JMeter's XML. */
  public static final CsvColumns XML = named(NAMES.subList(1, NAMES.size()), ',');

  /** Any that JMeter may be set to; first the usual ones. */
  private static final String DELIMITERS = ",;\t|^: !#$%&'()*+-./<=>?@[\\]_`{}~";

  /** What divides the fields of a file without a header, if it divides them into its columns. */
  private static final String USUAL_DELIMITERS = ",;\t|^";

  private final byte[] roles;
  private final byte delimiter;
  private final int[] columns = new int[ROLES];

  private CsvColumns(byte[] roles, byte delimiter) {
    this.roles = roles;
    this.delimiter = delimiter;
    Arrays.fill(columns, -1);
    for (int column = 0; column < roles.length; column++) {
      columns[roles[column]] = column;
    }
  }

  public static CsvColumns named(List<String> names, char delimiter) {
    byte[] roles = new byte[names.size()];
    for (int i = 0; i < roles.length; i++) {
      boolean lastOfName = names.lastIndexOf(names.get(i)) == i;
      roles[i] = lastOfName ? (byte) Math.max(SKIPPED, NAMES.indexOf(names.get(i))) : SKIPPED;
    }
    return new CsvColumns(roles, (byte) delimiter);
  }

  /** The columns of a file without a header, with the delimiter that fits its first line. */
  public static CsvColumns unnamed(List<String> names, String line) {
    String bare = line.replaceAll("\"[^\"]*\"", "");
    int delimiter =
        USUAL_DELIMITERS
            .chars()
            .filter(each -> bare.chars().filter(c -> c == each).count() == names.size() - 1L)
            .findFirst()
            .orElse(',');
    return named(names, (char) delimiter);
  }

  /**
   * The columns of a header line, which must name at least time and duration of a sample.
   *
   * @param line its bytes as Latin-1, including any byte order mark
   */
  public static Optional<CsvColumns> header(String line) {
    if (!line.contains("timeStamp")) {
      return Optional.empty();
    }
    String text = line.replace("\u00ef\u00bb\u00bf", "").strip();
    for (int i = 0; i < DELIMITERS.length(); i++) {
      char delimiter = DELIMITERS.charAt(i);
      List<String> names =
          Arrays.stream(text.split("\\" + delimiter, -1)).map(CsvColumns::unquoted).toList();
      if (names.contains("timeStamp") && names.contains("elapsed")) {
        return Optional.of(named(names, delimiter));
      }
    }
    return Optional.empty();
  }

  /** Returns a field without its quotes, if any. */
  public static String unquoted(String field) {
    return field.length() > 1 && field.startsWith("\"") && field.endsWith("\"")
        ? field.substring(1, field.length() - 1).replace("\"\"", "\"")
        : field;
  }

  public int count() {
    return roles.length;
  }

  public byte role(int column) {
    return roles[column];
  }

  public byte delimiter() {
    return delimiter;
  }

  /** The column with this meaning; -1 if none has. */
  public int column(byte role) {
    return columns[role];
  }

  /** Whether fields of this role are read as text. */
  public static boolean isText(byte role) {
    return switch (role) {
      case LABEL, CODE, MESSAGE, THREAD, ADDRESS, TYPE, IDLE -> true;
      default -> false;
    };
  }

  /** Whether some column has this meaning. */
  public boolean has(byte role) {
    return columns[role] >= 0;
  }

  /** Whether no column distinguishes a request from the sum of a transaction controller. */
  public boolean hideSums() {
    return !has(MESSAGE) && !has(ADDRESS) && !has(TYPE);
  }

  /** Whether a sum without a message could be recognized, by its thread or by its label. */
  public boolean revealSums() {
    return has(THREAD) || has(MESSAGE);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CsvColumns columns
        && delimiter == columns.delimiter
        && Arrays.equals(roles, columns.roles);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(roles) + delimiter;
  }
}
