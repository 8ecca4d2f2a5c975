package io.slicewise.load.jtl;

/** Recognizes the sum of a transaction controller by its response message. */
final class Transactions {
  private static final String MESSAGE = "Number of samples in transaction : ";
  private static final long START = Words.of(MESSAGE);
  private static final long QUOTED_START = Words.of('"' + MESSAGE);

  private static final int NULL = (int) Words.of("null");
  private static final int QUOTES = '"' | '"' << 8;

  private Transactions() {}

  /** Whether a CSV field, possibly quoted, is empty. */
  static boolean isEmptyAsSpelt(byte[] bytes, int start, int end) {
    int length = end - start;
    return length == 0 || (length == 2 && (Words.at(bytes, start) & 0xffff) == QUOTES);
  }

  /** Whether a URL is empty or JMeter's {@code null}. */
  static boolean isNoAddress(byte[] bytes, int start, int end) {
    int length = end - start;
    return length == 0 || (length == 4 && (int) Words.at(bytes, start) == NULL);
  }

  /** The same of a field of CSV, which may be quoted. */
  static boolean isNoAddressAsSpelt(byte[] bytes, int start, int end) {
    boolean quoted = end - start >= 2 && bytes[start] == '"' && bytes[end - 1] == '"';
    int inset = quoted ? 1 : 0;
    return isNoAddress(bytes, start + inset, end - inset);
  }

  /** Whether a CSV field that begins like this is empty or may be a transaction's message. */
  static boolean mayBegin(long word, byte delimiter) {
    byte first = (byte) word;
    return first == delimiter || first == '\n' || first == '\r' || first == '"' || first == 'N';
  }

  /** Whether a CSV field that begins like this may be a transaction's message. */
  static boolean mayBegin(long word) {
    return word == START || word == QUOTED_START;
  }

  /** The same of a field of CSV, which may be quoted. */
  static boolean isMessageAsSpelt(byte[] bytes, int at) {
    long word = Words.at(bytes, at);
    return (word == START && isMessage(bytes, at))
        || (word == QUOTED_START && isMessage(bytes, at + 1));
  }

  /** Whether the text that begins here is a transaction's message. */
  static boolean isMessage(byte[] bytes, int at) {
    if (Words.at(bytes, at) != START) {
      return false;
    }
    for (int i = 0; i < MESSAGE.length(); i++) {
      if (at + i >= bytes.length || bytes[at + i] != MESSAGE.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
