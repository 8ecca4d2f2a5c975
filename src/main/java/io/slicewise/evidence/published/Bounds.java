package io.slicewise.evidence.published;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks the range of a number, by itself or compared with the layer that serves it. */
final class Bounds {
  /** Metrics that may be negative. */
  private static final Pattern CHANGE = Pattern.compile("slowdown|overhead|interference|drop");

  /** Percentages without an upper limit. */
  private static final Pattern MAY_DOUBLE = Pattern.compile("slowdown|overhead");

  private static final String CONTROL = "dom0";

  /** The first layer cannot have more than the second, which serves it. */
  private record Passage(String metric, String side, String throughMetric, String throughSide) {}

  private static final List<Passage> PASSAGES =
      List.of(
          new Passage("data_accessed", "actual", "disk_read", "xen"),
          new Passage("disk_read", "xen", "disk_read", CONTROL),
          new Passage("r_sectors", "dom1", "r_sectors", CONTROL));

  private Bounds() {}

  static List<RuleResult> passages(PublishedNumbers numbers) {
    List<RuleResult> results = new ArrayList<>();
    for (Printed number : numbers.all()) {
      for (Passage passage : PASSAGES) {
        if (number.metric().equals(passage.metric()) && number.variant().equals(passage.side())) {
          results.add(passed(number, passage.throughSide(), passage.throughMetric(), numbers));
        }
      }
      if (number.metric().equals("syscall_time")) {
        results.add(passed(number, number.variant(), "sys", numbers));
      }
    }
    return results;
  }

  private static RuleResult passed(
      Printed number, String side, String metric, PublishedNumbers numbers) {
    Inputs inputs = new Inputs(number, numbers);
    return inputs
        .sameCase(side, metric)
        .map(through -> passed(number, through, inputs))
        .orElseGet(() -> RuleResult.skipped(number, TableRule.PASSES, inputs.missing()));
  }

  private static RuleResult passed(Printed number, Printed through, Inputs inputs) {
    if (number.span().low() <= through.span().high()) {
      return RuleResult.sound(number, TableRule.PASSES);
    }
    return inputs.broken(
        TableRule.PASSES,
        "%s: %s %s, but %s of %s is only %s"
            .formatted(
                number.subject(),
                number.line().text("metric"),
                number.text(),
                through.line().text("metric"),
                through.subject(),
                through.text()),
        "the two were not read over the same time, or were swapped");
  }

  static List<RuleResult> ranges(PublishedNumbers numbers) {
    return numbers.all().stream()
        .map(
            number ->
                fault(number)
                    .map(
                        why ->
                            RuleResult.broken(
                                number, TableRule.RANGE, number.subject() + ": " + why, ""))
                    .orElseGet(() -> RuleResult.sound(number, TableRule.RANGE)))
        .toList();
  }

  private static Optional<String> fault(Printed number) {
    CsvFile.Line line = number.line();
    Span value = Span.of(number.text());
    String what = line.text("metric") + " " + number.text();
    boolean change = CHANGE.matcher(number.metric()).find();
    if (number.percent() && value.low() > 100 && !MAY_DOUBLE.matcher(number.metric()).find()) {
      return Optional.of(what + " % is more than 100 %");
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
    // The scatter of n non-negative numbers is largest if all but one are zero: s = mean * sqrt(n).
    double most = runs > 1 && !change ? value.high() * Math.sqrt(runs) : Double.POSITIVE_INFINITY;
    return line.span("stddev")
        .filter(deviation -> deviation.low() > most || deviation.high() < 0)
        .map(deviation -> what + scatter(line));
  }

  private static String scatter(CsvFile.Line line) {
    String runs = line.text("n_runs");
    return "%s cannot scatter by %s"
        .formatted(runs.isBlank() ? "" : " in " + runs + " runs", line.text("stddev"));
  }
}
