package io.slicewise.report.table;

import io.slicewise.base.units.Phrase;
import java.time.Duration;

/** Formats durations as text. */
public final class Spans {
  private Spans() {}

  /** {@code 19 h 32 m}, {@code 4 m 30 s}, {@code 2.5 s}. */
  public static String text(Duration duration) {
    if (duration.toHours() > 0) {
      return Phrase.of("%d h %d m", duration.toHours(), duration.toMinutesPart());
    }
    if (duration.toMinutes() > 0) {
      return "%s m%s"
          .formatted(
              duration.toMinutes(),
              duration.toSecondsPart() > 0 ? " " + duration.toSecondsPart() + " s" : "");
    }
    String seconds = Phrase.of("%.1f s", duration.toMillis() / 1e3);
    return seconds.replace(".0 s", " s");
  }
}
