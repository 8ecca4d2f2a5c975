package io.slicewise.jtl;

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
  long timeStamp;
  int elapsed;
  int latency;
  long received;
  long sent;
  int threads;
  boolean success;
  boolean transaction;

  /** Forgets what the last row told, so that a column left out is untold. */
  void clear() {
    labelStart = 0;
    labelEnd = 0;
    codeStart = 0;
    codeEnd = 0;
    latency = UNTOLD;
    received = 0;
    sent = 0;
    threads = UNTOLD;
    success = true;
    transaction = false;
  }
}
