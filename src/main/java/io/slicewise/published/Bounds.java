package io.slicewise.published;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a number cannot be beyond, by itself or beside another. */
final class Bounds {
  /** Entering the kernel and leaving it took no less in the years of these studies, nor since. */
  private static final double CALL_SECONDS = 50e-9;

  /** Numbers that may be negative. */
  private static final Pattern CHANGE = Pattern.compile("slowdown|overhead|interference|drop");

  /** Percentages without an upper end. */
  private static final Pattern MAY_DOUBLE = Pattern.compile("slowdown|overhead");

  private static final String CONTROL = "dom0";

  /** What reaches the first cannot be more than what reaches the second. */
  private record Passage(String metric, String side, String throughMetric, String throughSide) {}

  private static final List<Passage> PASSAGES =
      List.of(
          new Passage("data_accessed", "actual", "disk_read", "xen"),
          new Passage("disk_read", "xen", "disk_read", CONTROL),
          new Passage("r_sectors", "dom1", "r_sectors", CONTROL));

  private Bounds() {}

  static List<Held> passages(Numbers numbers) {
    List<Held> held = new ArrayList<>();
    for (Printed number : numbers.all()) {
      for (Passage passage : PASSAGES) {
        if (number.metric().equals(passage.metric()) && number.variant().equals(passage.side())) {
          numbers
              .beside(number, passage.throughSide(), passage.throughMetric())
              .ifPresent(through -> held.add(passed(number, through)));
        }
      }
      if (number.metric().equals("syscall_time")) {
        numbers
            .beside(number, number.variant(), "sys")
            .ifPresent(system -> held.add(passed(number, system)));
      }
    }
    return held;
  }

  private static Held passed(Printed number, Printed through) {
    if (number.span().low() <= through.span().high()) {
      return Held.sound(number, Rule.PASSES);
    }
    return Held.broken(
        number,
        Rule.PASSES,
        number.subject()
            + ": "
            + number.line().text("metric")
            + " "
            + number.text()
            + ", but "
            + through.line().text("metric")
            + " of "
            + through.subject()
            + " is only "
            + through.text(),
        "the two were not read over the same time, or stand in each other's place");
  }

  static List<Held> calls(Numbers numbers) {
    List<Held> held = new ArrayList<>();
    for (Printed time : numbers.all()) {
      if (time.metric().equals("syscall_time")) {
        numbers
            .beside(time, time.variant(), "syscalls")
            .ifPresent(calls -> held.add(call(time, calls)));
      }
    }
    return held;
  }

  private static Held call(Printed time, Printed calls) {
    if (time.span().high() >= CALL_SECONDS * calls.value()) {
      return Held.sound(time, Rule.CALL_TIME);
    }
    return Held.broken(
        time,
        Rule.CALL_TIME,
        String.format(
            Locale.ROOT,
            "%s: %s calls in %s ms are %.0f ns a call",
            time.subject(),
            calls.text(),
            time.text(),
            1e9 * time.value() / calls.value()),
        "the time is not in the unit the table gives, or is not that of all calls");
  }

  static List<Held> ranges(Numbers numbers) {
    return numbers.all().stream()
        .map(
            number ->
                fault(number)
                    .map(why -> Held.broken(number, Rule.RANGE, number.subject() + ": " + why, ""))
                    .orElseGet(() -> Held.sound(number, Rule.RANGE)))
        .toList();
  }

  private static Optional<String> fault(Printed number) {
    CsvFile.Line line = number.line();
    Span value = Span.of(number.text());
    String what = line.text("metric") + " " + number.text();
    boolean change = CHANGE.matcher(number.metric()).find();
    if (number.percent() && value.low() > 100 && !MAY_DOUBLE.matcher(number.metric()).find()) {
      return Optional.of(what + " % of something is more than all of it");
    }
    if (value.high() < 0 && !change) {
      return Optional.of(what + " is negative");
    }
    boolean below = line.span("min").map(least -> value.high() < least.low()).orElse(false);
    boolean above = line.span("max").map(most -> value.low() > most.high()).orElse(false);
    if (below || above) {
      return Optional.of(what + " is not within " + line.text("min") + " to " + line.text("max"));
    }
    double runs = line.number("n_runs", new ArrayList<>());
    // n numbers that are not negative scatter most when all but one are zero: s = mean * sqrt(n).
    double most = runs > 1 && !change ? value.high() * Math.sqrt(runs) : Double.POSITIVE_INFINITY;
    return line.span("stddev")
        .filter(deviation -> deviation.low() > most || deviation.high() < 0)
        .map(deviation -> what + scatter(line));
  }

  private static String scatter(CsvFile.Line line) {
    String runs = line.text("n_runs");
    return (runs.isBlank() ? "" : " in " + runs + " runs")
        + " cannot scatter by "
        + line.text("stddev");
  }
}
