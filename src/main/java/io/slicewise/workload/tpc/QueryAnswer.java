package io.slicewise.workload.tpc;

import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvReader;
import io.slicewise.base.units.Sha256;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The answer to a query, in comparable form: numbers rounded to two decimal places as in 2.1.3.5 of
 * the specification, text without trailing blanks, and rows sorted, because servers sort text
 * differently.
 *
 * @param checksum SHA-256 of the rows, in lower-case hexadecimal digits
 */
record QueryAnswer(int rows, String checksum) {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  static QueryAnswer of(ResultSet result) throws SQLException {
    int columns = result.getMetaData().getColumnCount();
    List<String> rows = new ArrayList<>();
    while (result.next()) {
      List<String> values = new ArrayList<>();
      for (int column = 1; column <= columns; column++) {
        values.add(canonical(result.getString(column)));
      }
      rows.add(String.join("|", values));
    }
    return of(rows);
  }

  /** Returns the answer of rows whose values are in that form. */
  static QueryAnswer of(List<String> rows) {
    MessageDigest digest = Sha256.begin();
    rows.stream()
        .sorted()
        .forEach(row -> digest.update((row + "\n").getBytes(StandardCharsets.UTF_8)));
    return new QueryAnswer(rows.size(), HexFormat.of().formatHex(digest.digest()));
  }

  /** Returns a value in comparable form; SQL's NULL is empty text. */
  static String canonical(String value) {
    if (value == null) {
      return "";
    }
    String text = value.stripTrailing();
    if (!NUMBER.matcher(text).matches()) {
      return text;
    }
    BigDecimal rounded = new BigDecimal(text).setScale(2, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /**
   * The known correct answers to the queries with their validation values: the specification's at
   * scale factor 1, and those at 0.01. Their file names the source.
   */
  static final class KnownAnswers {
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
}
