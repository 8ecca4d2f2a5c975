package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.published.TableRule.RuleResult;
import io.slicewise.run.validity.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks published tables of three kinds: studies of profiles and users, settings of profiles, and
 * numbers of any other study. Numbers of the same quantity in several tables are compared.
 */
public final class PublishedTables {
  private PublishedTables() {}

  /**
   * The findings of a table.
   *
   * @param asked number of checks per rule; empty if no rule applies
   * @param skipped rules that could not be checked
   * @param nothing why nothing could be checked; empty otherwise
   */
  public record Table(
      Path file,
      Map<String, Integer> asked,
      List<Skipped> skipped,
      List<Violation> violations,
      String nothing) {
    public Table {
      asked = new LinkedHashMap<>(asked);
      skipped = List.copyOf(skipped);
      violations = List.copyOf(violations);
    }
  }

  /**
   * A rule that could not be checked.
   *
   * @param times number of values, for the same reason
   * @param place file and line of the first of them
   */
  public record Skipped(String rule, int times, String place, String reason) {}

  /**
   * Checks tables together, in their order.
   *
   * @throws SlicewiseException if one cannot be read, or contains invalid numbers
   */
  public static List<Table> check(List<Path> files) {
    List<CsvFile> tables =
        files.stream().map(file -> CsvFile.read(file, PublishedTables::isKnown)).toList();
    List<Printed> numbers =
        tables.stream()
            .filter(PublishedTables::hasNumbers)
            .flatMap(table -> NumberTable.numbers(table).stream())
            .toList();
    List<RuleResult> results = check(new PublishedNumbers(numbers));
    return tables.stream().map(table -> checked(table, results)).toList();
  }

  private static boolean isKnown(List<String> header) {
    return header.containsAll(StudyTable.COLUMNS)
        || header.containsAll(NumberTable.COLUMNS)
        || header.containsAll(SettingsTable.COLUMNS);
  }

  private static boolean isStudy(CsvFile table) {
    return table.header().containsAll(StudyTable.COLUMNS);
  }

  private static boolean hasNumbers(CsvFile table) {
    return table.header().containsAll(NumberTable.COLUMNS) && !isStudy(table);
  }

  private static List<RuleResult> check(PublishedNumbers numbers) {
    List<RuleResult> results = new ArrayList<>();
    results.addAll(Formulas.check(numbers));
    results.addAll(TimeParts.check(numbers));
    results.addAll(CpuShares.check(numbers));
    results.addAll(Kinds.check(numbers));
    results.addAll(Repeats.printedTwice(numbers));
    results.addAll(Twins.check(numbers));
    results.addAll(Repeats.durations(numbers));
    results.addAll(Bounds.passages(numbers));
    results.addAll(CallTimes.check(numbers));
    results.addAll(Alike.check(numbers));
    results.addAll(Bounds.ranges(numbers));
    results.sort(Comparator.comparing(RuleResult::rule));
    return results;
  }

  private static Table checked(CsvFile table, List<RuleResult> results) {
    if (isStudy(table)) {
      StudyTable study = StudyTable.of(table);
      return new Table(
          table.file(),
          StudyRules.asked(study),
          StudyRules.skipped(study),
          StudyRules.findings(study),
          "");
    }
    if (hasNumbers(table)) {
      return numbers(table.file(), results);
    }
    if (table.header().containsAll(SettingsTable.COLUMNS)) {
      Map<String, Integer> asked =
          Map.of(TableRule.REQUESTED.key(), SettingsTable.profiles(table).size());
      return new Table(table.file(), asked, List.of(), SettingsTable.violations(table), "");
    }
    String nothing =
        table.header().isEmpty()
            ? "its first line is not a header"
            : "it has no measured numbers, only " + String.join(", ", table.header());
    return new Table(table.file(), Map.of(), List.of(), List.of(), nothing);
  }

  private static Table numbers(Path file, List<RuleResult> results) {
    Map<String, Integer> asked = new LinkedHashMap<>();
    Map<String, Skipped> skipped = new LinkedHashMap<>();
    List<Violation> violations = new ArrayList<>();
    for (RuleResult one : results) {
      if (!one.number().table().file().equals(file.toString())) {
        continue;
      }
      String rule = one.rule().key();
      if (one.skipped().isEmpty()) {
        asked.merge(rule, 1, Integer::sum);
        one.broken().ifPresent(violations::add);
      } else {
        skipped.merge(
            rule + one.skipped(),
            new Skipped(rule, 1, one.number().place(), one.skipped()),
            (before, again) ->
                new Skipped(rule, before.times() + 1, before.place(), before.reason()));
      }
    }
    return new Table(file, asked, List.copyOf(skipped.values()), violations, "");
  }

  /**
   * Checks shares of CPU time as printed by vmstat and similar tools: {@code cpu_user}, {@code
   * cpu_sys}, {@code cpu_idle}, {@code cpu_iowait}, … in percent, or without {@code cpu_}. Their
   * sum never exceeds 100 %; with user, system and idle it is 100 %.
   */
  private static final class CpuShares {
    private static final Map<String, String> NAMES = names();
    private static final Set<String> WHOLE = Set.of("user", "sys", "idle");

    private CpuShares() {}

    private static Map<String, String> names() {
      Map<String, String> names = new TreeMap<>();
      for (String name :
          List.of("user", "sys", "idle", "iowait", "steal", "nice", "irq", "softirq")) {
        names.put(name, name);
        names.put("cpu_" + name, name);
      }
      names.putAll(Map.of("us", "user", "sy", "sys", "id", "idle", "wa", "iowait", "st", "steal"));
      names.put("cpu_system", "sys");
      return names;
    }

    private record Case(Printed.Table table, Map<String, String> keys, String variant) {}

    static List<RuleResult> check(PublishedNumbers numbers) {
      Map<Case, List<Printed>> cases = new java.util.LinkedHashMap<>();
      for (Printed number : numbers.all()) {
        boolean change = "drop".equalsIgnoreCase(number.keys().get("experiment"));
        if (number.percent() && NAMES.containsKey(number.metric()) && !change) {
          cases
              .computeIfAbsent(
                  new Case(number.table(), number.keys(), number.variant()),
                  of -> new ArrayList<>())
              .add(number);
        }
      }
      return cases.values().stream().flatMap(shares -> check(shares).stream()).toList();
    }

    private static Optional<RuleResult> check(List<Printed> shares) {
      Set<String> names = new HashSet<>();
      shares.forEach(share -> names.add(NAMES.get(share.metric())));
      Printed first = shares.get(0);
      if (shares.size() < 2 || names.size() < shares.size()) {
        return Optional.empty();
      }
      Span sum = shares.stream().map(Printed::span).reduce(Span::plus).orElseThrow();
      boolean whole = names.containsAll(WHOLE);
      boolean fits = whole ? sum.meets(new Span(100, 100)) : sum.low() <= 100;
      if (fits) {
        return Optional.of(RuleResult.sound(first, TableRule.PARTS));
      }
      String message =
          Phrase.of(
              "%s: %s = %.1f %%",
              first.subject(),
              String.join(" + ", shares.stream().map(s -> s.line().text("metric")).toList()),
              sum.middle());
      return Optional.of(
          RuleResult.broken(
              first,
              TableRule.PARTS,
              message,
              sum.middle() > 100
                  ? "the shares are from different times, or of more than one CPU"
                  : "a share is missing, usually steal time, or they are from different times"));
    }
  }

  /** Checks printed times against the number of events and their minimum duration. */
  private static final class CallTimes {
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

  /** Checks the range of a number, by itself or compared with the layer that serves it. */
  private static final class Bounds {
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
      // The scatter of n non-negative numbers is largest if all but one are zero: s = mean *
      // sqrt(n).
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

  /**
   * Compares repeated prints of the same quantity, and the durations of a run that counts and rates
   * imply.
   */
  private static final class Repeats {
    private static final List<String> RATES = List.of("_per_second", "_per_s");
    private static final int FEWEST = 3;
    private static final String OTHERS = "the others' median is";

    private Repeats() {}

    /** Checks quantities that are printed in several tables. */
    static List<RuleResult> printedTwice(PublishedNumbers numbers) {
      List<RuleResult> results = new ArrayList<>();
      for (List<Printed> same : numbers.ofOneThing()) {
        for (int i = 0; i < same.size() - 1; i++) {
          Printed before = same.get(i);
          List<Printed> later =
              same.subList(i + 1, same.size()).stream()
                  .filter(one -> one.percent() == before.percent())
                  .toList();
          // The last print of a number is most likely the corrected one.
          Agreement.worst(before, later)
              .ifPresent(last -> results.add(Agreement.check(before, last)));
        }
      }
      return results;
    }

    /** A count, its rate, and the implied duration. */
    private record Counted(Printed rate, Printed count, Span seconds, Inputs inputs) {}

    /**
     * Compares durations with the running time if it is printed, otherwise with those of the other
     * counts.
     */
    static List<RuleResult> durations(PublishedNumbers numbers) {
      List<Counted> counted = new ArrayList<>();
      List<RuleResult> results = new ArrayList<>();
      for (Printed rate : numbers.all()) {
        Inputs inputs = new Inputs(rate, numbers);
        for (Printed count : counts(rate, inputs)) {
          Span seconds = count.span().over(rate.span());
          inputs
              .sameCase(rate.variant(), "runtime")
              .ifPresentOrElse(
                  time ->
                      results.add(check(inputs, rate, count, seconds, time.span(), "the run took")),
                  () -> counted.add(new Counted(rate, count, seconds, inputs)));
        }
      }
      for (Counted one : counted) {
        double[] others =
            counted.stream()
                .filter(c -> c.rate().table().file().equals(one.rate().table().file()))
                .mapToDouble(c -> c.seconds().middle())
                .sorted()
                .toArray();
        if (others.length >= FEWEST) {
          double usual = others[others.length / 2];
          Span span = new Span(usual, usual).widened(usual * 1e-3);
          results.add(check(one.inputs(), one.rate(), one.count(), one.seconds(), span, OTHERS));
        }
      }
      return results;
    }

    private static List<Printed> counts(Printed rate, Inputs inputs) {
      return RATES.stream()
          .filter(ending -> rate.metric().endsWith(ending))
          .map(ending -> rate.metric().substring(0, rate.metric().length() - ending.length()))
          .map(of -> of.equals("reads") ? "r_total" : of)
          .flatMap(of -> inputs.sameCase(rate.variant(), of).stream())
          .toList();
    }

    private static RuleResult check(
        Inputs inputs, Printed rate, Printed count, Span seconds, Span expected, String against) {
      return seconds.meets(expected)
          ? RuleResult.sound(rate, TableRule.DURATION)
          : inputs.broken(
              TableRule.DURATION,
              Phrase.of(
                  "%s: %s / %s per s = %s s, but %s %s",
                  rate.subject(), count.text(), rate.text(), seconds, against, expected),
              "count and rate come from different runs, or one was mistyped");
    }
  }
}
