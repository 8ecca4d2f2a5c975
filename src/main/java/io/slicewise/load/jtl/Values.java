package io.slicewise.load.jtl;

import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.PlainRows.Transactions;
import io.slicewise.load.jtl.Tally.Times;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.DateStamp;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the value of any field and reports its errors. The fast paths of the scanners accept only
 * what this accepts.
 */
public record Values(Optional<ZoneId> zone) {
  /** 2000-01-01 and 2100-01-01, UTC. */
  private static final long EARLIEST = 946_684_800_000L;

  private static final long LATEST = 4_102_444_800_000L;
  private static final long MOST_BYTES = 1_000_000_000_000_000L;
  private static final long MOST_THREADS = 1_000_000_000;
  private static final long MOST_SUMMED = 9_999_999;
  private static final int MOST_DIGITS = 18;

  /** Whether a timestamp is plausible: in this century, including 2000. */
  static boolean isPlausible(long timeStamp) {
    return timeStamp >= EARLIEST && timeStamp < LATEST;
  }

  /** Puts the bytes of a field into a row; returns their error, if any. */
  public Optional<DamageKind> put(Row row, byte role, byte[] bytes, int start, int end) {
    switch (role) {
      case CsvColumns.LABEL -> {
        row.labelStart = start;
        row.labelEnd = end;
      }
      case CsvColumns.CODE -> {
        row.codeStart = start;
        row.codeEnd = end;
      }
      case CsvColumns.MESSAGE -> {
        row.transaction = Transactions.isMessage(bytes, start);
        row.described |= end > start;
      }
      case CsvColumns.TYPE -> row.described |= end > start;
      case CsvColumns.ADDRESS -> row.described |= !Transactions.isNoAddress(bytes, start, end);
      case CsvColumns.THREAD -> {
        row.threadStart = start;
        row.threadEnd = end;
      }
      case CsvColumns.IDLE -> {
        row.idleStart = start;
        row.idleEnd = end;
      }
      case CsvColumns.SUCCESS -> {
        return success(row, text(bytes, start, end));
      }
      case CsvColumns.SKIPPED -> {}
      default -> {
        return number(row, role, text(bytes, start, end));
      }
    }
    return Optional.empty();
  }

  private static String text(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }

  private static Optional<DamageKind> success(Row row, String text) {
    String word = text.toLowerCase(Locale.ROOT);
    row.success = word.equals("true");
    return row.success || word.equals("false")
        ? Optional.empty()
        : Optional.of(DamageKind.BAD_SUCCESS);
  }

  private Optional<DamageKind> number(Row row, byte role, String text) {
    boolean needed = role == CsvColumns.TIME_STAMP || role == CsvColumns.ELAPSED;
    if (text.isEmpty() && !needed) {
      return Optional.empty();
    }
    boolean minus = text.startsWith("-");
    String digits = minus ? text.substring(1) : text;
    if (digits.isEmpty() || !digits.chars().allMatch(letter -> letter >= '0' && letter <= '9')) {
      return role == CsvColumns.TIME_STAMP ? date(row, text) : Optional.of(DamageKind.BAD_NUMBER);
    }
    if (digits.length() > MOST_DIGITS) {
      return Optional.of(minus ? DamageKind.NEGATIVE : tooLarge(role));
    }
    long number = Long.parseLong(digits);
    return minus && number > 0 ? Optional.of(DamageKind.NEGATIVE) : set(row, role, number);
  }

  private Optional<DamageKind> date(Row row, String text) {
    // A header does not begin with a digit and must not trigger loading the rules of all time
    // zones.
    boolean digit = !text.isEmpty() && Character.isDigit(text.charAt(0));
    Optional<DateStamp> stamp =
        digit
            ? DateStamp.read(text, () -> zone.orElseGet(ZoneId::systemDefault))
            : Optional.empty();
    if (stamp.isEmpty()) {
      return Optional.of(DamageKind.BAD_STAMP);
    }
    row.wholeSecond = stamp.get().wholeSecond();
    row.monthFirst = stamp.get().monthFirst();
    return set(row, CsvColumns.TIME_STAMP, stamp.get().millis());
  }

  private static Optional<DamageKind> set(Row row, byte role, long number) {
    long most = Times.LONGEST;
    switch (role) {
      case CsvColumns.TIME_STAMP -> {
        row.timeStamp = number;
        return isPlausible(number) || number == 0
            ? Optional.empty()
            : Optional.of(DamageKind.ABSURD);
      }
      case CsvColumns.ELAPSED -> row.elapsed = (int) Math.min(number, Integer.MAX_VALUE);
      case CsvColumns.LATENCY -> row.latency = (int) Math.min(number, Integer.MAX_VALUE);
      case CsvColumns.THREADS -> {
        row.threads = (int) Math.min(number, Integer.MAX_VALUE);
        most = MOST_THREADS;
      }
      case CsvColumns.SAMPLES -> {
        row.count = (int) Math.max(1, Math.min(number, MOST_SUMMED));
        most = MOST_SUMMED;
      }
      case CsvColumns.ERRORS -> {
        row.errors = (int) Math.min(number, MOST_SUMMED);
        most = MOST_SUMMED;
      }
      case CsvColumns.RECEIVED -> {
        row.received = number;
        most = MOST_BYTES;
      }
      default -> {
        row.sent = number;
        most = MOST_BYTES;
      }
    }
    return number <= most ? Optional.empty() : Optional.of(tooLarge(role));
  }

  private static DamageKind tooLarge(byte role) {
    return role == CsvColumns.ELAPSED || role == CsvColumns.LATENCY
        ? DamageKind.LASTING
        : DamageKind.ABSURD;
  }
}
