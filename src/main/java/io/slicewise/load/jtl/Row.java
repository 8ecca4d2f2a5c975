package io.slicewise.load.jtl;

/** One sample as it stands in the file; a single object that a scanner fills again and again. */
final class Row {
  /** Of a number the file does not tell. */
  static final int UNTOLD = -1;

  /** Where label and code lie, in bytes that hold until the next row is read. */
  byte[] bytes = {};

  /** Whether label and code lie there as the file spells them, and are still to be decoded. */
  boolean spelt = true;

  int labelStart;
  int labelEnd;
  int codeStart;
  int codeEnd;
  int threadStart;
  int threadEnd;
  int idleStart;
  int idleEnd;
  long timeStamp;
  int elapsed;
  int latency;
  long received;
  long sent;
  int threads;
  boolean success;
  boolean transaction;

  /** Whether it is a transaction by what is inside it, though no message says so. */
  boolean inferred;

  /** Whether the row has a message, a URL or a data type, as requests have. */
  boolean described;

  /** Forgets what the last row told, so that a column left out is untold. */
  void clear() {
    labelStart = 0;
    labelEnd = 0;
    codeStart = 0;
    codeEnd = 0;
    threadStart = 0;
    threadEnd = 0;
    idleStart = 0;
    idleEnd = 0;
    latency = UNTOLD;
    received = 0;
    sent = 0;
    threads = UNTOLD;
    success = true;
    transaction = false;
    described = false;
    inferred = false;
  }

  /** Whether this may be the sum of a transaction controller whose message is missing. */
  boolean isBare() {
    return !transaction && !described;
  }

  /** The time that timers took inside a transaction, which JMeter does not count as elapsed. */
  long idleMillis() {
    long idle = 0;
    for (int at = idleStart; at < idleEnd; at++) {
      int digit = bytes[at] - '0';
      idle = 10 * idle + digit;
      if (digit < 0 || digit > 9 || idle > Times.LONGEST) {
        return 0;
      }
    }
    return idle;
  }
}
