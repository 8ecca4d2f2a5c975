package io.slicewise.report.page;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.NumberText;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.experiment.Experiment;
import io.slicewise.report.page.AnswerTable.Column;
import io.slicewise.report.table.ChangeText;
import io.slicewise.report.table.Html;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The table of the first screen: a row per load with the change from the baseline and its price.
 * Shows the recommended profile, or the best estimate at each load if none is recommended.
 */
final class EffectTable {
  private static final int MOST_ROWS = 8;

  /** The order of verdicts in a comparison: what needs attention first. */
  private static final List<Verdict> URGENCY =
      List.of(Verdict.WORSE, Verdict.UNCLEAR, Verdict.BETTER, Verdict.SAME);

  private final List<Comparison> all;
  private final Metric primary;
  private final Metric other;
  private final String before;
  private final String named;

  /**
   * @param before the heading of the values that are compared with
   * @param named the heading of the column of profiles; empty without one
   */
  private EffectTable(List<Comparison> all, Metric primary, String before, String named) {
    this.all = all;
    this.primary = primary;
    this.other = primary.companion();
    this.before = before;
    this.named = named;
  }

  static void append(Html page, Experiment experiment, Recommendation facts) {
    EffectTable table =
        new EffectTable(
            facts.comparisons(),
            facts.question().primary(),
            ChangeText.before(experiment.baseline()),
            facts.candidate().isEmpty() ? "best estimate" : "");
    List<Comparison> rows = table.rows(experiment, facts);
    table.append(page, rows);
    if (rows.size() > MOST_ROWS) {
      page.element("p", "More loads: " + summary(rows.subList(MOST_ROWS, rows.size())) + ".");
    }
  }

  /** Appends the rows of a comparison that decide its answer first. */
  static void append(Html page, Compared compared) {
    List<Comparison> rows =
        compared.primary().stream()
            .sorted(Comparator.comparing(row -> URGENCY.indexOf(row.verdict())))
            .toList();
    new EffectTable(
            compared.rows().comparisons(),
            compared.question().primary(),
            ChangeText.before(compared.names().from()),
            "profile")
        .append(page, rows);
    if (rows.size() > MOST_ROWS) {
      page.element("p", (rows.size() - MOST_ROWS) + " more rows are in the tables below.");
    }
  }

  private void append(Html page, List<Comparison> rows) {
    List<Column> columns = new ArrayList<>(List.of(Column.figure("load")));
    if (!named.isEmpty()) {
      columns.add(Column.name(named));
    }
    String unit = primary.unit().isEmpty() ? "" : ", " + primary.unit();
    columns.add(Column.figure("%s%s: %s → this".formatted(primary.key(), unit, before)));
    columns.add(Column.figure("change (95 % CI)"));
    columns.add(Column.verdict("verdict"));
    if (priced()) {
      columns.add(Column.figure(other.key()));
    }
    new AnswerTable(
            "Effect at each load",
            columns,
            rows.stream().limit(MOST_ROWS).map(this::cells).toList())
        .append(page);
  }

  private List<String> cells(Comparison row) {
    List<String> cells = new ArrayList<>(List.of(load(row)));
    if (!named.isEmpty()) {
      cells.add(row.profile());
    }
    cells.add(NumberText.of(row.means().before()) + " → " + NumberText.of(row.means().after()));
    cells.add(Phrases.effect(row));
    cells.add(EnumName.of(row.verdict()));
    if (priced()) {
      cells.add(price(row));
    }
    return cells;
  }

  /** Returns whether the other metric is known at all; it is not where nothing is loaded. */
  private boolean priced() {
    return all.stream().anyMatch(c -> c.metric().equals(other));
  }

  private static String load(Comparison row) {
    return row.load().text();
  }

  /** Returns the comparisons of the recommended profile, or the best estimate of each load. */
  private List<Comparison> rows(Experiment experiment, Recommendation facts) {
    List<Comparison> primaries =
        all.stream().filter(c -> c.kind() == Comparison.Kind.PRIMARY).toList();
    if (facts.candidate().isPresent()) {
      return primaries.stream()
          .filter(c -> c.profile().equals(facts.candidate().get()))
          .sorted(Comparator.comparing(Comparison::load))
          .toList();
    }
    Comparator<Comparison> byChange =
        Comparator.comparingDouble(
            c -> primary.moreIsBetter() ? -c.change().percent() : c.change().percent());
    return experiment.loads().stream()
        .map(load -> primaries.stream().filter(c -> c.load().equals(load)).min(byChange))
        .flatMap(Optional::stream)
        .toList();
  }

  private String price(Comparison row) {
    return all.stream()
        .filter(c -> c.metric().equals(other))
        .filter(c -> c.profile().equals(row.profile()) && c.load().equals(row.load()))
        .findFirst()
        .map(c -> Phrases.effect(c) + ", " + EnumName.of(c.verdict()))
        .orElse("–");
  }

  private static String summary(List<Comparison> rows) {
    Map<Verdict, List<Comparison>> byVerdict =
        rows.stream()
            .collect(Collectors.groupingBy(Comparison::verdict, TreeMap::new, Collectors.toList()));
    return byVerdict.entrySet().stream()
        .map(
            one ->
                EnumName.of(one.getKey())
                    + " at "
                    + Phrases.list(one.getValue().stream().map(EffectTable::load).toList()))
        .collect(Collectors.joining("; "));
  }
}
