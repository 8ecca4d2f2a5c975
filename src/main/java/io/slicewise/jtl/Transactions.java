package io.slicewise.jtl;

/** How a transaction controller's sum is told from a request: by its response message. */
final class Transactions {
  private static final String MESSAGE = "Number of samples in transaction : ";
  private static final long START = Words.of(MESSAGE);

  private Transactions() {}

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
