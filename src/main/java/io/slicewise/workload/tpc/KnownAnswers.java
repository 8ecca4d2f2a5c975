package io.slicewise.workload.tpc;

import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The known correct answers to the queries with their validation values: the specification's at
 * scale factor 1, and those at 0.01. Their file names the source.
 */
final class KnownAnswers {
  private static final String FILE = "tpch-answers.csv";

  private KnownAnswers() {}

  /** The answers at a scale factor, by query name; empty if unknown. */
  static Optional<Map<String, QueryAnswer>> at(double scale) {
    Map<String, QueryAnswer> answers = new HashMap<>();
    CsvReader.builder()
        .commentStrategy(CommentStrategy.SKIP)
        .ofCsvRecord(SqlScript.text(FILE))
        .stream()
        .filter(row -> Double.parseDouble(row.getField(0)) == scale)
        .forEach(
            row ->
                answers.put(
                    row.getField(1),
                    new QueryAnswer(Integer.parseInt(row.getField(2)), row.getField(3))));
    return answers.isEmpty() ? Optional.empty() : Optional.of(answers);
  }
}
