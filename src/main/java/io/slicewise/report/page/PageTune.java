package io.slicewise.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.report.page.AnswerTable.Column;
import io.slicewise.report.table.Html;
import java.util.List;

/**
 * The answer of a tune and how it came about, as the page shows it.
 *
 * @param settings of the choice, or of the set
 * @param certainty how sure the answer is
 * @param sentences how the race went
 * @param confirmations a row for each confirmed or refuted choice
 * @param data of the charts: the tune's report as JSON
 */
public record PageTune(
    List<String> settings,
    List<String> certainty,
    List<String> sentences,
    List<Confirmed> confirmations,
    JsonNode data) {
  public PageTune {
    settings = List.copyOf(settings);
    certainty = List.copyOf(certainty);
    sentences = List.copyOf(sentences);
    confirmations = List.copyOf(confirmations);
  }

  /** A choice measured against the settings found in separate trials. */
  public record Confirmed(
      String loads, String choice, String values, String change, String verdict) {}

  void appendTable(Html page) {
    new AnswerTable(
            "Confirmation",
            List.of(
                Column.figure("load"),
                Column.name("choice"),
                Column.figure("settings found → choice"),
                Column.figure("change (95 % CI)"),
                Column.verdict("confirmation")),
            confirmations.stream()
                .map(
                    one ->
                        List.of(
                            one.loads(), one.choice(), one.values(), one.change(), one.verdict()))
                .toList())
        .append(page);
  }
}
