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
 * numbers of any other study. PublishedNumbers of several tables are held against each other where
 * they are of the same thing.
 */
public final class PublishedTables {
  private PublishedTables() {}

  /**
   * The findings of a table.
   *
   * @param asked how often each rule was checked; empty if no rule applies
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
   * A rule that could not be asked.
   *
   * @param times of how many numbers, for the same reason
   * @param place file and line of the first of them
   */
  public record Skipped(String rule, int times, String place, String reason) {}

  /**
   * Checks tables together, in their order.
   *
   * @throws SlicewiseException if one cannot be read, or holds no number where one should be
   */
  public static List<Table> check(List<Path> files) {
    List<CsvFile> tables =
        files.stream().map(file -> CsvFile.read(file, PublishedTables::isKnown)).toList();
    List<Printed> numbers =
        tables.stream()
            .filter(PublishedTables::hasNumbers)
            .flatMap(table -> NumberTable.numbers(table).stream())
            .toList();
    List<Held> held = held(new PublishedNumbers(numbers));
    return tables.stream().map(table -> checked(table, held)).toList();
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

  private static List<Held> held(PublishedNumbers numbers) {
    List<Held> held = new ArrayList<>();
    held.addAll(Formulas.held(numbers));
    held.addAll(TimeParts.held(numbers));
    held.addAll(CpuShares.held(numbers));
    held.addAll(Kinds.held(numbers));
    held.addAll(Repeats.printedTwice(numbers));
    held.addAll(Twins.held(numbers));
    held.addAll(Repeats.durations(numbers));
    held.addAll(Bounds.passages(numbers));
    held.addAll(CallTimes.held(numbers));
    held.addAll(Alike.held(numbers));
    held.addAll(Bounds.ranges(numbers));
    held.sort(Comparator.comparing(Held::rule));
    return held;
  }

  private static Table checked(CsvFile table, List<Held> held) {
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
      return numbers(table.file(), held);
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

  private static Table numbers(Path file, List<Held> held) {
    Map<String, Integer> asked = new LinkedHashMap<>();
    Map<String, Skipped> skipped = new LinkedHashMap<>();
    List<Violation> violations = new ArrayList<>();
    for (Held one : held) {
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
