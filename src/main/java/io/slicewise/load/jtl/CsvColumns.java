package io.slicewise.load.jtl;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The meaning of the fields of a CSV row. */
final class CsvColumns {
  static final byte SKIPPED = 0;
  static final byte TIME_STAMP = 1;
  static final byte ELAPSED = 2;
  static final byte LABEL = 3;
  static final byte CODE = 4;
  static final byte MESSAGE = 5;
  static final byte SUCCESS = 6;
  static final byte RECEIVED = 7;
  static final byte SENT = 8;
  static final byte THREADS = 9;
  static final byte LATENCY = 10;
  static final byte THREAD = 11;
  static final byte ADDRESS = 12;
  static final byte TYPE = 13;
  static final byte IDLE = 14;

  /** One more than the last. */
  static final int ROLES = 15;

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
          "IdleTime");

  /** No columns. */
  static final CsvColumns NONE = new CsvColumns(new byte[0], (byte) ',');

  /** The attributes of JMeter's XML. */
  static final CsvColumns XML = named(NAMES.subList(1, NAMES.size()), ',');

  /** Any that JMeter may be set to; first the usual ones. */
  private static final String DELIMITERS = ",;\t|^: !#$%&'()*+-./<=>?@[\\]_`{}~";

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

  static CsvColumns named(List<String> names, char delimiter) {
    byte[] roles = new byte[names.size()];
    for (int i = 0; i < roles.length; i++) {
      boolean lastOfName = names.lastIndexOf(names.get(i)) == i;
      roles[i] = lastOfName ? (byte) Math.max(SKIPPED, NAMES.indexOf(names.get(i))) : SKIPPED;
    }
    return new CsvColumns(roles, (byte) delimiter);
  }

  /**
   * The columns of a header line, which must name at least time and duration of a sample.
   *
   * @param line its bytes as Latin-1, including any byte order mark
   */
  static Optional<CsvColumns> header(String line) {
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
  static String unquoted(String field) {
    return field.length() > 1 && field.startsWith("\"") && field.endsWith("\"")
        ? field.substring(1, field.length() - 1).replace("\"\"", "\"")
        : field;
  }

  int count() {
    return roles.length;
  }

  byte role(int column) {
    return roles[column];
  }

  byte delimiter() {
    return delimiter;
  }

  /** The column with this meaning; -1 if none has. */
  int column(byte role) {
    return columns[role];
  }

  /** Whether fields of this role are read as text. */
  static boolean isText(byte role) {
    return switch (role) {
      case LABEL, CODE, MESSAGE, THREAD, ADDRESS, TYPE, IDLE -> true;
      default -> false;
    };
  }

  /** Whether some column has this meaning. */
  boolean has(byte role) {
    return columns[role] >= 0;
  }

  /** Whether no column distinguishes a request from the sum of a transaction controller. */
  boolean hideSums() {
    return !has(MESSAGE) && !has(ADDRESS) && !has(TYPE);
  }

  /** Whether a sum without a message could be recognized, by its thread or by its label. */
  boolean revealSums() {
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
