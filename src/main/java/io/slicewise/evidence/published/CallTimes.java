package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks printed times against the number of events and their minimum duration. */
final class CallTimes {
  /** The minimum time to enter and leave the kernel, in the years of these studies and since. */
  private static final double CALL_SECONDS = 50e-9;

  private static final Pattern TIME = Pattern.compile("(?:(.*)_)?(?:time|ms)");

  private CallTimes() {}

  static List<RuleResult> check(PublishedNumbers numbers) {
    List<RuleResult> results = new ArrayList<>();
    for (Printed time : numbers.all()) {
      if (!time.percent() && TIME.matcher(time.metric()).matches()) {
        Inputs inputs = new Inputs(time, numbers);
        count(time, inputs).ifPresent(count -> results.add(check(time, count, inputs)));
      }
    }
    return results;
  }

  /** The count for the case of the time. */
  private static Optional<Printed> count(Printed time, Inputs inputs) {
    String of = TIME.matcher(time.metric()).replaceFirst("$1");
    Stream<String> names =
        of.isEmpty() || of.equals("total")
            ? Stream.of("syscalls", "count")
            : Stream.of(of + "s", of + "_calls", of + "_count", of + "_total", of);
    return names
        .map(name -> inputs.sameCase(time.variant(), name))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static RuleResult check(Printed time, Printed calls, Inputs inputs) {
    boolean kernel = calls.metric().equals("syscalls");
    if (kernel && time.span().high() < CALL_SECONDS * calls.value()) {
      return inputs.broken(
          TableRule.CALL_TIME,
          Phrase.of(
              "%s: %s calls in %s %s are %.0f ns a call",
              time.subject(),
              calls.text(),
              time.text(),
              time.unit().split(" ", 2)[0],
              1e9 * time.value() / calls.value()),
          "the time is not in the unit the table gives, or is not that of all calls");
    }
    if (calls.span().low() > 0 && Math.abs(Span.of(time.text()).middle()) < 1e-12) {
      return inputs.doubted(
          TableRule.CALL_TIME,
          "%s: %s is printed as %s %s for %s %s"
              .formatted(
                  time.subject(),
                  time.line().text("metric"),
                  time.text(),
                  time.unit().split(" ", 2)[0],
                  calls.text(),
                  calls.line().text("metric")),
          "the time is below its printed digits, or was counted in clock ticks and most calls fell"
              + " between two");
    }
    return RuleResult.sound(time, TableRule.CALL_TIME);
  }
}
