package io.slicewise.jtl;

/** How a transaction controller's sum is told from a request: by its response message. */
final class Transactions {
  private static final String MESSAGE = "Number of samples in transaction : ";
  private static final long START = Words.of(MESSAGE);
  private static final long QUOTED_START = Words.of('"' + MESSAGE);

  private Transactions() {}

  /** Whether a field of CSV that begins like this may be a transaction's message. */
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
