package io.slicewise.report.page;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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

  private final Experiment experiment;
  private final Recommendation facts;
  private final Metric primary;
  private final Metric other;

  private EffectTable(Experiment experiment, Recommendation facts) {
    this.experiment = experiment;
    this.facts = facts;
    this.primary = facts.question().primary();
    this.other = primary == Metric.THROUGHPUT ? Metric.P95 : Metric.THROUGHPUT;
  }

  static void append(Html page, Experiment experiment, Recommendation facts) {
    new EffectTable(experiment, facts).append(page);
  }

  private void append(Html page) {
    List<Comparison> rows = rows();
    if (rows.isEmpty()) {
      return;
    }
    boolean named = facts.candidate().isEmpty();
    List<String> heads = new ArrayList<>(List.of("load"));
    if (named) {
      heads.add("best estimate");
    }
    heads.add("%s, %s".formatted(primary.key(), primary.unit()));
    heads.add("change (95 % CI)");
    heads.add("verdict");
    heads.add(other.key());
    page.raw(
            "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Effect at each load\">")
        .raw("<table class=\"effect\">\n<thead><tr>");
    heads.forEach(
        head ->
            page.element(
                head.equals("verdict") || head.equals("best estimate")
                    ? "th scope=\"col\" class=\"name\""
                    : "th scope=\"col\"",
                head));
    page.raw("</tr></thead>\n<tbody>\n");
    rows.stream().limit(MOST_ROWS).forEach(row -> append(page, row, named));
    page.raw("</tbody>\n</table></div>\n");
    if (rows.size() > MOST_ROWS) {
      page.element("p", "More loads: " + summary(rows.subList(MOST_ROWS, rows.size())) + ".");
    }
  }

  private void append(Html page, Comparison row, boolean named) {
    page.raw("<tr>").element("th scope=\"row\"", load(row));
    if (named) {
      page.element("td class=\"name\"", row.profile());
    }
    page.element("td", number(row.baselineMean()) + " → " + number(row.mean()))
        .element("td", Phrases.effect(row))
        .raw("<td class=\"name\"><strong>")
        .say(Phrases.verdict(row.verdict()))
        .raw("</strong></td>")
        .element("td", price(row))
        .raw("</tr>\n");
  }

  private static String load(Comparison row) {
    return row.load().users() == 0 ? "no load" : row.load().text();
  }

  /** Returns the comparisons of the recommended profile, or the best estimate of each load. */
  private List<Comparison> rows() {
    List<Comparison> all =
        facts.comparisons().stream().filter(c -> c.kind() == Comparison.Kind.PRIMARY).toList();
    if (facts.candidate().isPresent()) {
      return all.stream()
          .filter(c -> c.profile().equals(facts.candidate().get()))
          .sorted(Comparator.comparing(Comparison::load))
          .toList();
    }
    Comparator<Comparison> byChange =
        Comparator.comparingDouble(c -> primary.moreIsBetter() ? -c.percent() : c.percent());
    return experiment.loads().stream()
        .map(load -> all.stream().filter(c -> c.load().equals(load)).min(byChange))
        .flatMap(Optional::stream)
        .toList();
  }

  private String price(Comparison row) {
    return facts.comparisons().stream()
        .filter(c -> c.metric() == other)
        .filter(c -> c.profile().equals(row.profile()) && c.load().equals(row.load()))
        .findFirst()
        .map(c -> Phrases.effect(c) + ", " + Phrases.verdict(c.verdict()))
        .orElse("–");
  }

  private static String summary(List<Comparison> rows) {
    Map<Verdict, List<Comparison>> byVerdict =
        rows.stream()
            .collect(Collectors.groupingBy(Comparison::verdict, TreeMap::new, Collectors.toList()));
    return byVerdict.entrySet().stream()
        .map(
            one ->
                Phrases.verdict(one.getKey())
                    + " at "
                    + Phrases.list(one.getValue().stream().map(EffectTable::load).toList()))
        .collect(Collectors.joining("; "));
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.1f" : "%.0f", value)
        : "–";
  }
}
