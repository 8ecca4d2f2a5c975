package io.slicewise.load.access;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.regex.Pattern;

/** Points in time, as servers write them. */
final class Stamps {
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  /** ISO 8601, also with a blank for T or before the offset, which may lack its colon. */
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .appendPattern("yyyy-MM-dd['T'][' ']HH:mm:ss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .optionalEnd()
          .optionalStart()
          .appendPattern("[' '][XXX][XX][X]")
          .optionalEnd()
          .toFormatter(java.util.Locale.ROOT);

  private static final int SECOND_DIGITS = 10;
  private static final int MILLI_DIGITS = 13;
  private static final int MICRO_DIGITS = 16;
  private static final int NANO_DIGITS = 19;

  private static final int LOCAL = "23/Nov/2026:13:22:39".length();
  private static final Pattern ENDS_IN_OFFSET = Pattern.compile("Z$|[+-]\\d\\d:?(\\d\\d)?$");

  private Stamps() {}

  /**
   * Returns microseconds since 1970; -1 if it is no point in time.
   *
   * @param offset of a date that has none; empty if such a date is none
   */
  static long micros(String text, int from, int to, String offset) {
    int digits = from;
    while (digits < to && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
      digits++;
    }
    if (digits < to && text.charAt(digits) != '.' && text.charAt(digits) != 'e') {
      return date(text.substring(from, to), offset);
    }
    return switch (digits - from) {
      case SECOND_DIGITS, 1 -> Unit.scaled(text, from, to, 6);
      case MILLI_DIGITS -> Unit.scaled(text, from, to, 3);
      case MICRO_DIGITS -> Unit.scaled(text, from, to, 0);
      case NANO_DIGITS -> Unit.scaled(text, from, digits - 3, 0);
      default -> -1;
    };
  }

  private static long date(String text, String offset) {
    try {
      if (text.length() > LOCAL && text.charAt(2) == '/' && text.charAt(LOCAL) == ' ') {
        return local(text, 0, LOCAL, ZoneOffset.of(text.substring(LOCAL + 1)));
      }
      boolean bare = !ENDS_IN_OFFSET.matcher(text).find();
      OffsetDateTime time =
          OffsetDateTime.parse(text.replace('/', '-') + (bare ? offset : ""), ISO);
      return 1_000_000 * time.toEpochSecond() + time.getNano() / 1000;
    } catch (DateTimeException none) {
      return -1;
    }
  }

  /**
   * Returns the time of {@code 23/Nov/2026:13:22:39.404}, which has no zone of its own; -1 if it is
   * not one.
   */
  static long local(String text, int from, int to, ZoneOffset zone) {
    if (to - from < LOCAL) {
      return -1;
    }
    try {
      int month = 1 + MONTHS.indexOf(text.substring(from + 3, from + 6));
      long second =
          LocalDateTime.of(
                  number(text, from + 7, 4),
                  month,
                  number(text, from, 2),
                  number(text, from + 12, 2),
                  number(text, from + 15, 2),
                  number(text, from + 18, 2))
              .toEpochSecond(zone);
      int fraction = from + 20;
      long micros =
          fraction < to
              ? Unit.scaled("0" + text.substring(fraction, to), 0, to - fraction + 1, 6)
              : 0;
      return micros < 0 ? -1 : 1_000_000 * second + micros;
    } catch (DateTimeException | NumberFormatException none) {
      return -1;
    }
  }

  private static int number(String text, int from, int length) {
    return Integer.parseInt(text, from, from + length, 10);
  }
}
