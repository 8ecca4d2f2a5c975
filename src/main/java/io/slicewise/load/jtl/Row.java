package io.slicewise.load.jtl;

import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Tally.Times;
import java.util.Optional;

/** One sample as written in the file; a scanner reuses a single object. */
final class Row {
  /** The value of a number that the file does not contain. */
  static final int UNKNOWN = -1;

  /** The bytes of label and code, valid until the next row is read. */
  byte[] bytes = {};

  /** Whether label and code are still to be decoded. */
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

  /** The number of samples that this row sums up, 1 for nearly all, and how many failed. */
  int count;

  int errors;
  boolean transaction;

  /** Whether it is a transaction by its contents, although it has no message. */
  boolean inferred;

  /** Whether the row has a message, a URL or a data type, as requests have. */
  boolean described;

  /** Whether the timestamp is a date without milliseconds. */
  boolean wholeSecond;

  /** Whether the timestamp was read as month/day, but could be day/month. */
  boolean monthFirst;

  /** Whether the file ends with this row without a line end, so that a number may be cut short. */
  boolean cuttable;

  /** Clears the values of the previous row, so that missing columns have none. */
  void clear() {
    labelStart = 0;
    labelEnd = 0;
    codeStart = 0;
    codeEnd = 0;
    threadStart = 0;
    threadEnd = 0;
    idleStart = 0;
    idleEnd = 0;
    latency = UNKNOWN;
    received = 0;
    sent = 0;
    threads = UNKNOWN;
    success = true;
    count = 1;
    errors = 0;
    transaction = false;
    described = false;
    inferred = false;
    wholeSecond = false;
    monthFirst = false;
    cuttable = false;
  }

  /** Whether this may be the sum of a transaction controller without its message. */
  boolean isBare() {
    return !transaction && !described && count == 1;
  }

  /** The number of failed samples; at least 1 if only that one of several failed is known. */
  int failed() {
    return count > 1 && errors > 0 ? Math.min(errors, count) : success && errors == 0 ? 0 : 1;
  }

  /** The fault of a whole row with the time 0, which a request that was never made has. */
  Optional<DamageKind> timeFault() {
    return timeStamp != 0
        ? Optional.empty()
        : Optional.of(failed() > 0 && !transaction ? DamageKind.UNTIMED : DamageKind.ABSURD);
  }

  /** The end of the sample, or of the last of several, which is then its timestamp. */
  long end() {
    return count > 1 ? timeStamp : timeStamp + elapsed;
  }

  /** The time spent in timers inside a transaction, which JMeter does not count as elapsed. */
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
