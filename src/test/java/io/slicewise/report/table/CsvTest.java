package io.slicewise.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.run.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects spreadsheets: no field of a CSV file is run as a formula, and numbers stay numbers. */
class CsvTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "=cmd|'/c calc'!A0",
        "+1+cmd|' /C calc'!A0",
        "-2+3+cmd|x!A0",
        "@SUM(A1:A9)",
        " =1+1",
        "\u00a0=1+1",
        "\uff1d1+1",
        "-",
        "=\"a\",b"
      })
  void aFormulaBecomesText(String formula) {
    assertThat(Csv.text(formula)).matches("(?s)\"?'.*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "+3.25", "1e9", "-1.5E-7", "web-app", "GET /cart?id=1", "a@b"})
  void aNumberOrAnInnocentTextStaysAsItIs(String text) {
    assertThat(Csv.text(text)).isEqualTo(text);
  }

  @Test
  void controlCharactersAreVisibleAndNoTabBeginsACell() {
    assertThat(Csv.text("\t=1\r\u009b\u202e")).isEqualTo("'\\u0009=1\\u000d\\u009b\\u202e");
    assertThat(Csv.text("two\nlines; \"one\"")).isEqualTo("\"two\nlines; \"\"one\"\"\"");
    assertThat(Csv.number(-0.25)).isEqualTo("-0.25");
    assertThat(Csv.number(Double.NaN)).isEmpty();
  }

  @Test
  void tablesUseItForNames() {
    Table table =
        new Table(
            "labels",
            "By label",
            List.of(Table.Column.name("label"), Table.Column.count("n")),
            List.of(List.of(new Cell.Text("=1+1\033"), new Cell.Count(-3))));
    assertThat(CsvTable.text(table, Origin.Kind.LAB))
        .isEqualTo("label,n,origin\r\n'=1+1\\u001b,-3,lab\r\n");
  }
}
