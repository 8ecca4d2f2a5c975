package io.slicewise.load.jtl;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;

/**
 * Timestamps as JMeter writes them when {@code jmeter.save.saveservice.timestamp_format} names a
 * date pattern: {@code yyyy/MM/dd HH:mm:ss.SSS}, also with dashes, also without milliseconds.
 */
final class DateStamp {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss[.SSS]", Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private DateStamp() {}

  static Optional<Long> millis(String text, ZoneId zone) {
    try {
      LocalDateTime date = LocalDateTime.parse(text.replace('/', '-'), FORMAT);
      return Optional.of(date.atZone(zone).toInstant().toEpochMilli());
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }
}
