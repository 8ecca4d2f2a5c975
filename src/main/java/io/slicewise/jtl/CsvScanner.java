package io.slicewise.jtl;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the rows of a CSV file. */
final class CsvScanner {
  private final Ledger ledger;
  private List<String> columns;
  private final Row row = new Row();
  private final StringBuilder field = new StringBuilder();
  private long line = 1;
  private long rowLine = 1;

  CsvScanner(Ledger ledger, ReductionOptions options) {
    this.ledger = ledger;
    columns = options.columns();
  }

  void read(InputStream in) throws IOException {
    List<String> fields = new ArrayList<>();
    boolean quoted = false;
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == '\n') {
          line++;
        }
        if (next == '"') {
          quoted = !quoted;
          field.append('"');
        } else if (quoted || (next != ',' && next != '\n')) {
          field.append((char) next);
        } else {
          fields.add(unquoted(field.toString()));
          field.setLength(0);
          if (next == '\n') {
            row(fields);
            fields.clear();
            rowLine = line;
          }
        }
      }
    } catch (EOFException cut) {
      ledger.damage().note(DamageKind.CUT_GZIP, line);
    }
    if (!fields.isEmpty() || field.length() > 0) {
      ledger.damage().note(DamageKind.CUT_ROW, rowLine);
    }
  }

  private static String unquoted(String text) {
    String plain = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    return plain.startsWith("\"") && plain.endsWith("\"") && plain.length() > 1
        ? plain.substring(1, plain.length() - 1).replace("\"\"", "\"")
        : plain;
  }

  private void row(List<String> fields) {
    if (fields.contains("timeStamp")) {
      columns = List.copyOf(fields);
    } else if (fields.size() != columns.size()) {
      ledger
          .damage()
          .note(
              fields.size() < columns.size()
                  ? DamageKind.TOO_FEW_FIELDS
                  : DamageKind.TOO_MANY_FIELDS,
              rowLine);
    } else {
      sample(fields);
    }
  }

  private void sample(List<String> fields) {
    row.clear();
    try {
      row.timeStamp = Long.parseLong(value(fields, "timeStamp", "-1"));
      row.elapsed = Integer.parseInt(value(fields, "elapsed", "-1"));
      row.latency = Integer.parseInt(value(fields, "Latency", "-1"));
      row.received = Long.parseLong(value(fields, "bytes", "0"));
      row.sent = Long.parseLong(value(fields, "sentBytes", "0"));
      row.threads = Integer.parseInt(value(fields, "allThreads", "-1"));
    } catch (NumberFormatException unreadable) {
      ledger.damage().note(DamageKind.BAD_NUMBER, rowLine);
      return;
    }
    row.success = value(fields, "success", "true").equals("true");
    row.transaction =
        value(fields, "responseMessage", "").startsWith("Number of samples in transaction");
    byte[] label = value(fields, "label", "").getBytes(StandardCharsets.ISO_8859_1);
    byte[] code = value(fields, "responseCode", "").getBytes(StandardCharsets.ISO_8859_1);
    row.bytes = new byte[label.length + code.length];
    System.arraycopy(label, 0, row.bytes, 0, label.length);
    System.arraycopy(code, 0, row.bytes, label.length, code.length);
    row.labelEnd = label.length;
    row.codeStart = label.length;
    row.codeEnd = row.bytes.length;
    ledger.add(row, rowLine);
  }

  private String value(List<String> fields, String column, String untold) {
    int index = columns.indexOf(column);
    return index < 0 ? untold : fields.get(index);
  }
}
