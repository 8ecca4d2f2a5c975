package io.slicewise.evidence.published;

import io.slicewise.DocumentSection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the document on published tables to the rules there are and to what they find. */
class PublishedTablesDocumentTest {
  @Test
  void documentListsEveryTable() {
    StringBuilder text =
        new StringBuilder("| table | asked | skipped | found |\n|---|---|---|---|\n");
    PublishedTablesTest.published()
        .forEach(
            (name, table) -> {
              Map<String, Long> found =
                  table.violations().stream()
                      .collect(
                          Collectors.groupingBy(
                              one -> one.rule() + (one.serious() ? "" : " (in doubt)"),
                              TreeMap::new,
                              Collectors.counting()));
              text.append(
                  String.format(
                      Locale.ROOT,
                      "| %s | %s | %s | %s |\n",
                      name.replace(".csv", ""),
                      table.asked().isEmpty() ? "nothing: no measured number" : list(table.asked()),
                      table.skipped().isEmpty()
                          ? "–"
                          : list(
                              table.skipped().stream()
                                  .collect(
                                      Collectors.toMap(
                                          PublishedTables.Skipped::rule,
                                          PublishedTables.Skipped::times,
                                          Integer::sum,
                                          TreeMap::new))),
                      found.isEmpty() ? "–" : list(found)));
            });
    DocumentSection.of("docs/check.md", "published").holds(text.toString());
  }

  @Test
  void documentListsEveryRule() {
    StringBuilder text = new StringBuilder("| rule | what holds |\n|---|---|\n");
    for (TableRule rule : TableRule.values()) {
      text.append("| `").append(rule.key()).append("` | ").append(rule.statement()).append(" |\n");
    }
    DocumentSection.of("docs/check.md", "rules").holds(text.toString());
  }

  private static String list(Map<String, ? extends Number> counts) {
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
