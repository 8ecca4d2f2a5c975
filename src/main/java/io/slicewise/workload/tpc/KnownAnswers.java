package io.slicewise.workload.tpc;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The right answers to the queries with their validation values, where they are known: the
 * specification's at scale factor 1, and those at 0.01. Where they are from, their file says.
 */
final class KnownAnswers {
  private static final String FILE = "tpch-answers.csv";

  private KnownAnswers() {}

  /** The answers at a scale factor by the query's name; empty where none are known. */
  static Optional<Map<String, QueryAnswer>> at(double scale) {
    Map<String, QueryAnswer> answers = new HashMap<>();
    SqlScript.text(FILE)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(",", -1))
        .filter(fields -> Double.parseDouble(fields[0]) == scale)
        .forEach(
            fields ->
                answers.put(fields[1], new QueryAnswer(Integer.parseInt(fields[2]), fields[3])));
    return answers.isEmpty() ? Optional.empty() : Optional.of(answers);
  }
}
