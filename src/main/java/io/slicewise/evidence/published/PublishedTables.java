package io.slicewise.evidence.published;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.validity.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
}
