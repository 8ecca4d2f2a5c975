package io.slicewise.load.jtl.text;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A timestamp as JMeter writes it when {@code jmeter.save.saveservice.timestamp_format} is a date
 * pattern: {@code yyyy/MM/dd}, {@code yyyy-MM-dd}, {@code dd.MM.yyyy} or {@code MM/dd/yyyy}, a
 * blank or {@code T}, and {@code HH:mm:ss}, optionally with {@code .SSS} or {@code ,SSS} and an
 * offset.
 *
 * @param wholeSecond whether it has no milliseconds
 * @param monthFirst whether it is month/day, where day/month would be a date, too
 */
public record DateStamp(long millis, boolean wholeSecond, boolean monthFirst) {
  /** What {@link #read} accepts. */
  public static final String EXAMPLES =
      "2026-11-20 10:00:00.000, 2026/11/20 10:00:00, 2026-11-20T10:00:00,000+01:00,"
          + " 20.11.2026 10:00:00 or 11/20/2026 10:00:00";

  private static final Pattern PATTERN =
      Pattern.compile(
          "(?:(?<year>[0-9]{4})([-/])(?<month>[0-9]{2})\\2(?<day>[0-9]{2})"
              + "|(?<day2>[0-9]{2})[.](?<month2>[0-9]{2})[.](?<year2>[0-9]{4})"
              + "|(?<month3>[0-9]{2})/(?<day3>[0-9]{2})/(?<year3>[0-9]{4}))"
              + "[ T](?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})"
              + "(?:[.,](?<millis>[0-9]{3}))?(?<offset>Z|[+-][0-9]{2}:?[0-9]{2})?");

  private static final int MONTHS = 12;
  private static final int NANOS = 1_000_000;

  /**
   * Reads a timestamp.
   *
   * @param zone of a timestamp without an offset; not asked for otherwise
   */
  public static Optional<DateStamp> read(String text, Supplier<ZoneId> zone) {
    Matcher stamp = PATTERN.matcher(text);
    if (!stamp.matches()) {
      return Optional.empty();
    }
    String order = stamp.group("year") != null ? "" : stamp.group("day2") != null ? "2" : "3";
    int day = number(stamp, "day" + order);
    int month = number(stamp, "month" + order);
    String fraction = stamp.group("millis");
    String offset = stamp.group("offset");
    try {
      LocalDateTime date =
          LocalDateTime.of(
              number(stamp, "year" + order),
              month,
              day,
              number(stamp, "hour"),
              number(stamp, "minute"),
              number(stamp, "second"),
              fraction == null ? 0 : NANOS * Integer.parseInt(fraction));
      ZoneId place = offset == null ? zone.get() : ZoneOffset.of(offset);
      return Optional.of(
          new DateStamp(
              date.atZone(place).toInstant().toEpochMilli(),
              fraction == null,
              order.equals("3") && day <= MONTHS && day != month));
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  private static int number(Matcher stamp, String group) {
    return Integer.parseInt(stamp.group(group));
  }
}
